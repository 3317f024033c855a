"""Arrays in, small frozen results out: every estimator of the toolkit and its rule for printing.

The unit of inference is the item. Draws, wordings, placements and depths are nested in it, so
every function that gives an interval takes item totals or item-indexed arrays, never rows.
"""
