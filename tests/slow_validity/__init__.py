"""Do the printed intervals cover, and does the headline family keep its level? Long simulations."""
