"""Layers in plain lists and dictionaries of a network, which are none of its parameters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from torch import nn

from loopcheck.loop import Role
from loopcheck.record.patch import Patches, replace
from loopcheck.record.site import Site, Sites
from loopcheck.record.tape import Tape

_PLAIN = (list, tuple, dict, OrderedDict)
"""What a network does not look into."""


class Hiding:
    """A hook on the attributes of networks. What is put into a list later is looked for when the network is first seen."""

    def __init__(self, tape: Tape, sites: Sites) -> None:
        self._tape = tape
        self._sites = sites
        self._set: dict[tuple[type[nn.Module], str], Site] = {}
        self._told: set[tuple[type[nn.Module], str]] = set()

    def install(self) -> None:
        replace(nn.Module, "__setattr__", self._setting)

    def _setting(self, original: Callable[..., None], own: Patches) -> Callable[..., None]:
        def __setattr__(module: nn.Module, name: str, value: Any) -> None:  # noqa: N807
            if type(value) in _PLAIN and own.live:
                key = type(module), name
                if key not in self._set and self._sites.defines(type(module)):
                    self._set[key] = self._sites.here()
            original(module, name, value)

        return __setattr__

    def look(self, network: nn.Module) -> None:
        """Tell of the layers that a network keeps and does not find."""
        found = {id(each) for each in network.modules()}
        for module in network.modules():
            for name, value in vars(module).items():
                key = type(module), name
                if key in self._set and key not in self._told and any(_learns(each, found) for each in _inside(value)):
                    self._told.add(key)
                    of = "dict" if isinstance(value, dict) else "list"
                    bare = all(isinstance(each, nn.Parameter) for each in _inside(value))
                    self._tape.emit_at(self._set[key], "hide", Role("class", type(module).__name__), of=of, bare=bare)


def _inside(value: Any) -> list[Any]:
    """What a list or a dictionary holds, and what a list in it does: who wants to hide a network, puts it alone into a list."""
    if type(value) not in _PLAIN:
        return []
    held = [inner for each in _values(value) for inner in (_values(each) if type(each) in _PLAIN else [each])]
    return held if isinstance(value, dict) or len(held) > 1 else []


def _values(whole: Any) -> Iterable[Any]:
    return whole.values() if isinstance(whole, dict) else whole


def _learns(thing: Any, found: set[int]) -> bool:
    if isinstance(thing, nn.Module):
        return id(thing) not in found and any(each.requires_grad for each in nn.Module.parameters(thing))
    return isinstance(thing, nn.Parameter) and thing.requires_grad
