"""Puts the recorder into a Python process that an audit started, or that one of those started, as soon as it has imported torch.

Python imports this file by its name, from the folder that `auditing/launch` puts first on its path; the folder is taken off
again, and the `sitecustomize` that would have been imported is. Nothing else happens in a process that does not import torch.
"""

import importlib
import importlib.util
import os
import sys
from importlib.machinery import PathFinder

HERE = os.path.dirname(os.path.abspath(__file__))
HOME = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
FOLDER = os.environ.get("LOOPCHECK_AUDIT", "")


class _Torch:
    """Finds torch as Python would, and begins to record once it is there."""

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def exec_module(module):  # type: ignore[no-untyped-def]
                execute(module)
                _begin()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _begin() -> None:
    """A program is not to fail for being audited: what goes wrong here is told of by the audit."""
    path = sys.path[:]
    sys.path.append(HOME)
    try:
        importlib.import_module("loopcheck.record.guest").begin(FOLDER)
    except Exception as error:
        with open(os.path.join(FOLDER, f"{os.getpid()}.trouble"), "w", encoding="utf-8") as file:
            file.write(f"{type(error).__name__}: {error}")
    finally:
        sys.path[:] = path


def _hand_on() -> None:
    """Import the module of this name that stands behind this one."""
    sys.path[:] = [each for each in sys.path if each != HERE]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec and spec.loader:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.path.isdir(FOLDER):
    sys.meta_path.insert(0, _Torch())
_hand_on()
