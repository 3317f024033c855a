"""Logs of other tools, read again with our readouts."""
