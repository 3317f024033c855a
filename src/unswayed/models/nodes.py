"""Nodes of a token tree, as a network is given them."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """New nodes, each with its place and with what it sees."""

    tokens: Ids
    """Token id of each new node."""
    depths: Ids
    """Number of tokens before each new node on its own path."""
    visible: Mask
    """New nodes by (remembered nodes, then new nodes): who sees whom. Every node sees itself."""
