"""Sources of pressure: who or what wrote the turns of a user that push, and its score card."""
