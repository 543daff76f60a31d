"""How the pages of the vocabulary become one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from warnings import catch_warnings, simplefilter

import pytest
from torch import nn

from loopcheck import api
from loopcheck.bug import glossary
from loopcheck.read import vocabulary
from loopcheck.read.vocabulary import Builds, Python, Same
from loopcheck.read.vocabulary.architectures import differs
from loopcheck.read.vocabulary.layers import learns_nothing


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """Two pages, to be filled."""
    made = [SimpleNamespace(), SimpleNamespace()]
    monkeypatch.setattr(vocabulary, "_pages", lambda: made)
    for table in (vocabulary._table, vocabulary._functions, vocabulary.methods, vocabulary.attributes, vocabulary.annotated):
        monkeypatch.setattr(vocabulary, table.__name__, table.__wrapped__)
    return made


def test_two_pages_do_not_say_what_one_thing_means(pages: list[SimpleNamespace]) -> None:
    pages[0].METHODS = {("engine", "step"): Same()}
    pages[1].METHODS = {("engine", "clip"): Same()}
    assert vocabulary.methods().keys() == {("engine", "step"), ("engine", "clip")}
    pages[1].METHODS = {("engine", "step"): Same()}
    with pytest.raises(TypeError, match=r"METHODS of two pages .*'engine', 'step'"):
        vocabulary.methods()


def test_an_annotation_names_what_a_page_builds(pages: list[SimpleNamespace]) -> None:
    pages[0].FUNCTIONS = {"somewhere.Engine": Builds("engine"), "somewhere.wrapped": Same()}
    assert vocabulary.annotated('Optional["somewhere.Engine"]') == "engine"
    assert vocabulary.annotated("torch.optim.Optimizer") == "optimizer"
    assert vocabulary.annotated("EngineRoom") is None


def test_what_is_handed_in_is_judged_by_its_name_and_use(pages: list[SimpleNamespace]) -> None:
    pages[0].METHODS = {("engine", "run"): Same()}
    pages[0].NAMED = {"engine": "engine"}
    pages[1].USED = {frozenset({"backward", "step"}): "model"}
    assert vocabulary.handed({"my", "engine"}, {"run"}) == "engine"
    assert vocabulary.handed({"my", "engine"}, {"start"}) is None, "a name alone says nothing"
    assert vocabulary.handed({"whatever"}, {"backward", "step", "train"}) == "model"
    assert vocabulary.handed({"whatever"}, {"backward"}) is None


def test_the_pages_of_this_project_fit_together() -> None:
    for table in ("FUNCTIONS", "METHODS", "ATTRIBUTES", "BASES", "NAMED", "USED"):
        assert vocabulary._table(table)


@pytest.mark.parametrize("verb", api.METHODS)
def test_a_name_that_gives_a_verb_away_has_a_row(verb: str) -> None:
    assert verb in glossary
    assert api.METHODS[verb] <= {name for _, name in vocabulary.methods()}


def test_what_holds_a_model_is_looked_through() -> None:
    assert {vocabulary.attributes()["model", held] for held in api.HOLDERS.values()} == {"model"}


def test_what_is_written_out_in_python_can_be_read() -> None:
    """What is no Python would be told of as an error of the program that uses it, and what has another name would say nothing."""
    rows = [*vocabulary._functions().values(), *(row for _, row in vocabulary._families()), *vocabulary.methods().values()]
    written = {row for row in rows if isinstance(row, Python)}
    assert written
    for row in written:
        defined = {each.name for each in ast.parse(row.code).body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
        assert row.name in defined


@pytest.mark.parametrize(
    ("name", "checkpoint", "known"),
    [
        ("BertForMaskedLM", None, True),
        ("VisionEncoderDecoderModel", None, True),
        ("DebertaV2ForSequenceClassification", None, True),
        ("SegformerForSemanticSegmentation", None, True),
        ("BertTokenizer", None, False),
        ("CLIPModel", None, False),
        ("LlamaForCausalLM", "gpt2", False),
        ("AutoModel", "allenai/scibert_scivocab_uncased", True),
        ("AutoModelForSeq2SeqLM", "google/flan-t5-small", True),
        ("AutoModelForCausalLM", "gpt2-medium", True),
        ("AutoModelForCausalLM", "EleutherAI/gpt-neo-125m", False),
        ("AutoModel", "openai/clip-vit-base-patch32", False),
        ("AutoModel", None, False),
    ],
)
def test_architectures_that_differ_between_the_modes(name: str, checkpoint: str | None, known: bool) -> None:
    assert differs(f"transformers.{name}.from_pretrained", checkpoint) is known


def _layers() -> Iterator[tuple[str, nn.Module]]:
    """Every class of torch's layers that can be made of a few numbers, by its name, and what it makes."""
    for name, made in vars(nn).items():
        if isinstance(made, type) and issubclass(made, nn.Module) and made is not nn.Module:
            for args in ((), (2,), (2, 2), (2, 2, 2), (1, (2, 2)), (4, 4, 4, 4), (0.1, 0.2)):
                with suppress(Exception), catch_warnings():
                    simplefilter("ignore")
                    yield name, made(*args)
                    break


def test_layers_without_parameters() -> None:
    said = {name for name, _ in _layers() if learns_nothing(name)}
    found = {name for name, layer in _layers() if not [*layer.parameters()]}
    others = {name for name in found if name.endswith(("Loss", "Loss2d", "List", "Dict")) or name.startswith("InstanceNorm")}
    assert said == found - others - {"Container", "DataParallel", "Sequential"}
    assert len(said) > 60
