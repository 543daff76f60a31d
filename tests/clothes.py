"""A bug is the same in other clothes: every rule's bad scripts, written in other ways that mean the same, and judged again.

    python tests/clothes.py              every way and every script
    python tests/clothes.py tqdm loader  the ways whose name holds a word

A metamorphic test: it needs no label, for what is found in a script has to be found when its loader has a progress bar around
it, or when an option decides which of two optimizers is made. Prints of how many scripts each way loses the bug, and which. Exit
status 1 where one is lost that `LOST` does not give a reason for.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TypeAlias

from loopcheck import Rule, packs
from loopcheck.check import check_source

RULES = Path(__file__).parent.parent / "rules" / "loopcheck_rules"

LOST: Mapping[str, tuple[tuple[str, ...], str]] = {
    "non_atomic_checkpoint/bad_listed.py": (("tqdm", "iter"), "known objects have a pass each only where they stand in the loop"),
    "plateau_without_metric/bad_several.py": (("tqdm", "iter"), "the same"),
    "per_parameter_clip/bad_listed.py": (("tqdm",), "what becomes of a list in a progress bar is not followed"),
    "missing_set_epoch/bad_restarted_iterator.py": (("loader by",), "which of two loaders has come to its end is not told"),
    "missing_set_epoch/bad_chosen_backend.py": (("next",), "which of two loaders an iterator is of is not told"),
    "missing_set_epoch/bad_order_by_setting.py": (("next",), "the same"),
    "scheduler_length_mismatch/bad_in_steps.py": (
        ("loader by", "next"),
        "the batches of one of two are not known to be the loop's",
    ),
    "unfrozen_but_not_optimized/bad.py": (("optimizer by",), "what one of two optimizers lacks may be the other's"),
    "unfrozen_but_not_optimized/bad_function.py": (("optimizer by",), "the same"),
    "unfrozen_but_not_optimized/bad_loops.py": (("optimizer by",), "the same"),
    "batchnorm_under_accumulation/bad_convolutions.py": (("model by",), "what one of two layers does, the network does not know"),
    "graph_retained_in_metric/bad_rows.py": (("model by",), "a dictionary of one of two networks is not looked into"),
    "softmax_before_cross_entropy/bad_exponential.py": (
        ("model", "criterion"),
        "a network's own loss is read off its layers",
    ),
    "wrapped_state_dict/bad_passed.py": (("model wrapped",), "it is wrapped twice"),
}
"""Scripts whose bug is lost in some clothes, by how the ways begin, and why that may be."""


def is_lost(name: str, way: str) -> bool:
    """Whether a script is known to lose its bug in these clothes."""
    return name in LOST and way.startswith(LOST[name][0])


Maker: TypeAlias = Callable[[str], bool]
"""Whether a class, as it is written where it is called, makes what is meant."""


def of_class(*names: str) -> Maker:
    return lambda called: called.rpartition(".")[2] in names


MAKERS: Mapping[str, Maker] = {
    "loader": of_class("DataLoader"),
    "optimizer": of_class("SGD", "Adam", "AdamW", "RMSprop"),
    "schedule": lambda called: "lr_scheduler." in called,
    "criterion": lambda called: called.endswith("Loss"),
    "model": lambda called: (
        called == OWN or (called.rpartition(".")[0] == "nn" and not called.endswith(("Loss", "DataParallel")))
    ),
}
OWN = "its own"
"""A class of the script that is a module."""
MODULES = ("model", "criterion")
CHOSEN = 'os.environ.get("CHOSEN") == "other"'


class Passed(ast.NodeTransformer):
    """What a loop runs over goes through something that hands its elements on: `for x in tqdm(loader)`."""

    def __init__(self, through: str) -> None:
        self._through = through

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        match node.iter:
            case ast.Name() | ast.Attribute():
                node.iter = self._handed(node.iter)
            case ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name() | ast.Attribute() as over, *_]):
                node.iter.args[0] = self._handed(over)
        return node

    def _handed(self, over: ast.expr) -> ast.expr:
        return ast.parse(f"{self._through}({ast.unparse(over)})", mode="eval").body


def _over_loader(loop: ast.For) -> str:
    """How the loader is written that a loop runs over; empty of other loops."""
    plain = isinstance(loop.iter, (ast.Name, ast.Attribute)) and not loop.orelse
    written = ast.unparse(loop.iter)
    return written if plain and "loader" in written else ""


class Barred(ast.NodeTransformer):
    """A progress bar that has a name, and is told of each batch."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        over = _over_loader(node)
        if not over:
            return node
        node.target = ast.Tuple([ast.Name("batch_number", ast.Store()), node.target], ast.Store())
        node.iter = ast.parse("enumerate(bar)", mode="eval").body
        node.body += ast.parse("bar.set_postfix(step=batch_number)").body
        return [*ast.parse(f"bar = tqdm.tqdm({over}, total=len({over}))").body, node]


class Next(ast.NodeTransformer):
    """Batches are taken from an iterator."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        over = _over_loader(node)
        if not over:
            return node
        taken = ast.Assign([node.target], ast.parse("next(batches)", mode="eval").body)
        loop = ast.parse(f"for batch_number in range(len({over})):\n    pass").body[0]
        assert isinstance(loop, ast.For)
        loop.body = [taken, *node.body]
        return [*ast.parse(f"batches = iter({over})").body, loop]


class Sent(ast.NodeTransformer):
    """What a batch holds is moved to the device."""

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        names = node.target.elts if isinstance(node.target, ast.Tuple) and _over_loader(node) else []
        for name in [each.id for each in reversed(names) if isinstance(each, ast.Name)]:
            node.body[:0] = ast.parse(f'{name} = {name}.to("cpu", non_blocking=True)').body
        return node


class Loss(ast.NodeTransformer):
    """A loss is computed in another way. way: statements that bind `loss` to LOSS."""

    def __init__(self, way: str) -> None:
        self._way = way

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        if [ast.unparse(each) for each in node.targets] != ["loss"] or not isinstance(node.value, ast.Call):
            return node
        return ast.parse(self._way.replace("LOSS", ast.unparse(node.value))).body


class Kept(ast.NodeTransformer):
    """What a script does at its top is done by an object that keeps all that it makes."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        defined = [each for each in node.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))]
        top = [each for each in node.body if not isinstance(each, (ast.Import, ast.ImportFrom)) and each not in defined]
        top = [each for each in top if not (isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant))]
        first = next((at for at, each in enumerate(top) if isinstance(each, ast.For)), 0)
        bound = {each.id for before in top[:first] for each in ast.walk(before) if isinstance(each, ast.Name) and _binds(each)}
        used = {each.id for inside in defined for each in ast.walk(inside) if isinstance(each, ast.Name)}
        if not bound or bound & used or any("__name__" in ast.unparse(each) for each in top):
            return node
        owner = ast.parse("class Keeper:\n    def __init__(self):\n        pass\n    def fit(self):\n        pass").body[0]
        assert isinstance(owner, ast.ClassDef)
        for method, statements in zip(owner.body, (top[:first], top[first:]), strict=True):
            assert isinstance(method, ast.FunctionDef)
            method.body = [_Owned(bound).visit(each) for each in statements]
        kept = [each for each in node.body if each not in top]
        node.body = [*kept, owner, *ast.parse("keeper = Keeper()\nkeeper.fit()").body]
        return node


class _Owned(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Attribute(ast.Name("self", ast.Load()), node.id, node.ctx) if node.id in self._names else node


def _binds(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


class Made(ast.NodeTransformer):
    """An object is made in another way. way: statements that bind the target to what is made."""

    def __init__(self, makes: Maker, way: Callable[[str, str, int], str]) -> None:
        self._makes, self._way, self._count = makes, way, 0
        self._own = frozenset[str]()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        classes = [each for each in ast.walk(node) if isinstance(each, ast.ClassDef)]
        self._own = frozenset(each.name for each in classes if any(ast.unparse(base).endswith("Module") for base in each.bases))
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        made = node.value
        while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and isinstance(made.func.value, ast.Call):
            made = made.func.value  # `nn.Linear(4, 2).to(device)`
        called = ast.unparse(made.func) if isinstance(made, ast.Call) else ""
        if len(node.targets) != 1 or not called or not self._makes(OWN if called in self._own else called):
            return node
        self._count += 1
        return ast.parse(self._way(ast.unparse(node.targets[0]), ast.unparse(node.value), self._count)).body


def by_option(target: str, made: str, number: int) -> str:
    return f"if {CHOSEN}:\n    {target} = {made}\nelse:\n    {target} = {made}"


def by_condition(target: str, made: str, number: int) -> str:
    return f"{target} = {made} if {CHOSEN} else {made}"


def by_function(target: str, made: str, number: int) -> str:
    return f"def make_{number}():\n    return {made}\n{target} = make_{number}()"


def among_others(target: str, made: str, number: int) -> str:
    return f"def make_{number}():\n    return {made}, {number}\n{target}, number_{number} = make_{number}()"


def under_a_key(target: str, made: str, number: int) -> str:
    return f"made_{number} = {{'it': {made}, 'number': {number}}}\n{target} = made_{number}['it']"


def moved(target: str, made: str, number: int) -> str:
    return f'{target} = {made}.to("cpu")'


def wrapped(target: str, made: str, number: int) -> str:
    return f"{target} = torch.nn.DataParallel({made})"


WAYS: Mapping[str, Callable[[], ast.NodeTransformer]] = {
    "tqdm": lambda: Passed("tqdm.tqdm"),
    "iter": lambda: Passed("iter"),
    "bar": Barred,
    "next": Next,
    "sent": Sent,
    "loss under a key": lambda: Loss("losses = {'loss': LOSS}\nloss = losses['loss']"),
    "loss of several": lambda: Loss("losses = {'main': LOSS}\nloss = sum(losses.values())"),
    "loss in a scope": lambda: Loss("with contextlib.nullcontext():\n    loss = LOSS"),
    "kept": Kept,
    **{f"{kind} moved": lambda kind=kind: Made(MAKERS[kind], moved) for kind in MODULES},  # type: ignore[misc]
    "model wrapped": lambda: Made(MAKERS["model"], wrapped),
} | {
    f"{kind} {way.__name__.replace('_', ' ')}": (lambda makes=makes, way=way: Made(makes, way))
    for kind, makes in MAKERS.items()
    for way in (by_option, by_condition, by_function, among_others, under_a_key)
}
"""Other ways to write what a script does, by a name."""


def scripts() -> Iterator[tuple[Rule, Path]]:
    """Every rule with each of its bad scripts."""
    rules = {rule.folder: rule for rule in packs.rules()}
    for path in sorted(RULES.glob("*/bad*.py")):
        yield rules[path.parent], path


def dressed(text: str, ways: Sequence[str]) -> str:
    """A script in other clothes, one after the other. Comments are gone."""
    tree = ast.parse(text)
    for way in ways:
        tree = ast.fix_missing_locations(WAYS[way]().visit(deepcopy(tree)))
    return f"import contextlib\nimport os\nimport tqdm\n{ast.unparse(tree)}\n"


def is_found(rule: Rule, text: str, path: Path) -> bool:
    return any(finding.rule.code == rule.code for finding in check_source(text.encode(), str(path), [rule]).findings)


def main() -> None:
    ways = [way for way in WAYS if not sys.argv[1:] or any(word in way for word in sys.argv[1:])]
    unexplained = 0
    for way in ways:
        lost: list[str] = []
        tried = 0
        for rule, path in scripts():
            text = path.read_text()
            other = dressed(text, [way])
            if "from __future__" not in text and other != dressed(text, []) and is_found(rule, dressed(text, []), path):
                tried += 1
                lost += [] if is_found(rule, other, path) else [f"{path.parent.name}/{path.name}"]
        told = [f"{name} ({LOST[name][1] if is_lost(name, way) else 'nobody knows why'})" for name in lost]
        unexplained += sum(not is_lost(name, way) for name in lost)
        print(f"{way}: {tried} scripts, {len(lost)} lost" + "".join(f"\n    {each}" for each in told), flush=True)
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
