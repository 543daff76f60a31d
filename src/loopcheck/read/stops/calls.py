"""Whether a function takes what it is called with."""

from __future__ import annotations

import ast

from loopcheck.read.stops.running import FUNCTION, Defined


def runs_at_once(called: Defined) -> tuple[Defined, ...]:
    """The function of which a call runs all, and the class that it makes an object of; empty where it makes a generator of it, or
    is a decorator's."""
    if isinstance(called, ast.ClassDef):
        made = [each for each in called.body if isinstance(each, FUNCTION) and each.name in ("__init__", "__new__")]
        plain = len(made) == 1 and made[0].name == "__init__" and not (called.keywords or called.decorator_list)
        return (called, *runs_at_once(made[0])) if plain and runs_at_once(made[0]) else ()
    plain = isinstance(called, ast.FunctionDef) and not called.decorator_list
    return (called,) if plain and not any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(called)) else ()


def refuses(called: Defined, call: ast.Call, bound: bool = False) -> str:
    """What a call gives that a function or class does not take, or leaves out; empty where nothing is known to be so.

    bound: it is a method of the object that it is called of.
    """
    spread = any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords)
    arguments = None if spread or called.decorator_list else _arguments(called)
    if arguments is None:
        return ""
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][bound or isinstance(called, ast.ClassDef) :]
    optional = set(positional[len(positional) - len(arguments.defaults) :]) if arguments.defaults else set()
    by_name = {each.arg: default for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    given = {each.arg for each in call.keywords if each.arg}
    if len(call.args) > len(positional) and not arguments.vararg:
        return f"is given {len(call.args)} arguments and takes {len(positional)}"
    if (strange := sorted(given.difference(positional, by_name))) and not arguments.kwarg:
        return f"is given `{strange[0]}`, which it does not take"
    lacking = [name for name in positional[len(call.args) :] if name not in given | optional]
    lacking += [name for name, default in by_name.items() if default is None and name not in given]
    return f"is not given `{lacking[0]}`, which it needs" if lacking else ""


def _arguments(called: Defined) -> ast.arguments | None:
    """What a function asks for; of a class, what its own constructor does, self among that."""
    if not isinstance(called, ast.ClassDef):
        return called.args
    made = [each for each in called.body if isinstance(each, FUNCTION) and each.name in ("__init__", "__new__")]
    plain = len(made) == 1 and made[0].name == "__init__" and not (called.keywords or made[0].decorator_list)
    return made[0].args if plain and (made[0].args.posonlyargs or made[0].args.args) else None
