"""Unswayed: does a language model move because the evidence moved, or because the user pushed?"""

__version__ = "0.1.0"
