"""Models: a transcript goes in, a completion comes out."""
