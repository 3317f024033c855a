"""Turning a completion into an answer: a value or a reason, never a default."""
