"""Tests of items: built-in, generated, loaded from tables and from public formats."""
