"""Running a plan on many processes or machines: chunks, workers, and Daft around both."""
