"""Faults that other tools had, one test each, on the real interface."""
