"""Training a small model on rows of ours, with the measures of the evaluation beside every step."""
