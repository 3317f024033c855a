"""Published protocols that can be run again, by name."""

from __future__ import annotations

from unswayed.replicas import brokenmath, euston, flipflop, parrot, perez, sharma, syceval, wei
from unswayed.replicas.replica import Published, Replica

REPLICAS: dict[str, Replica] = {
    replica.name: replica
    for replica in (
        sharma.REPLICA,
        syceval.REPLICA,
        flipflop.REPLICA,
        parrot.REPLICA,
        brokenmath.REPLICA,
        euston.REPLICA,
        perez.REPLICA,
        wei.REPLICA,
    )
}

__all__ = ["REPLICAS", "Published", "Replica"]
