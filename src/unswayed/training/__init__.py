"""Training rows from the same arms as evaluation: rows, their audit, and their export."""
