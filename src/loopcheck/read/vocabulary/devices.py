"""What a value comes to where there is a GPU, which is where what is meant for one is run."""

from __future__ import annotations

import ast

from loopcheck.read.domain.terms import Term

_AVAILABLE = "torch.cuda.is_available"


def on_gpu(term: object) -> object:
    """The constant that a term comes to on a machine with a GPU, None where it is not told: of `"cuda" if
    torch.cuda.is_available() else "cpu"` it is `"cuda"`, as of `torch.device("cuda:0")`, of which the kind is what counts."""
    match term:
        case Term(head="constant", operands=((_, str(written)),)):
            return ast.literal_eval(written)
        case Term(head="call", operands=(path, *_)) if path == _AVAILABLE:
            return True
        case Term(head="call", operands=("torch.device", Term(head="items", operands=(inner, *_)))):
            return _kind(on_gpu(inner))
        case Term(head="attribute", operands=(inner, "type")):
            return _kind(on_gpu(inner))
        case Term(head="choice", operands=(test, then, other)):
            chosen = on_gpu(test)
            return None if chosen is None else on_gpu(then if chosen else other)
        case Term(head="==" | "!=" as how, operands=(left, right)):
            both = _kind(on_gpu(left)), _kind(on_gpu(right))
            return None if None in both else (both[0] == both[1]) is (how == "==")
        case _:
            return None


def _kind(device: object) -> object:
    """`cuda` of `cuda:0`."""
    return device.partition(":")[0] if isinstance(device, str) else device
