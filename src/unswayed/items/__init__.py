"""What is asked, with its truth: item types, generators, readers of public formats, user tables."""
