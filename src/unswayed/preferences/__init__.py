"""Preference sets and reward models that somebody has: what they pay, and because of what."""
