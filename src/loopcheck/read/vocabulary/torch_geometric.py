"""PyTorch Geometric: convolutions over graphs that are the same in train and eval mode, unless they are told to drop.

Their share is 0 by itself, as the documentation of `GATConv`, `TransformerConv` and `ARMAConv` says, and the others have none.
What is built around a network that it is given (`GINConv`), or holds batch norms by itself (`GENConv`, `XConv`), is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import Const
from loopcheck.read.vocabulary import Builds, Call, Row


def _keeps(call: Call) -> Mapping[str, object]:
    dropped = call.get(99, "dropout")
    known: dict[str, object] = {"vectors": call.get(99, "bias") != Const(False), "learned": True}
    untold = len(call.args) > MOST_SIZES or (dropped is not None and not isinstance(dropped, Const))
    return known if untold else known | {"moded": dropped not in _NOTHING}


MOST_SIZES = 4
"""Positional arguments that say sizes; one behind them may be the share."""
_NOTHING = (None, Const(0), Const(0.0))

_CONVOLUTIONS = (
    r"torch_geometric\.nn\.(\w+\.)*(ARMA|Cheb|ClusterGCN|GAT|GATv2|GCN|GCN2|GatedGraph|Graph|LE|RGCN|SAGE|SG|SSG|TAG|Transformer)"
    r"Conv$"
)
FAMILIES: list[tuple[str, Row]] = [(_CONVOLUTIONS, Builds("model", facts=lambda call: {"training": True}, keeps=_keeps))]
LEARNING = [_CONVOLUTIONS]
