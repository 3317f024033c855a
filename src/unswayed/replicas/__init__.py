"""Published protocols that can be run again, by name."""

from __future__ import annotations

from unswayed.replicas.replica import Published, Replica

REPLICAS: dict[str, Replica] = {}

__all__ = ["REPLICAS", "Published", "Replica"]
