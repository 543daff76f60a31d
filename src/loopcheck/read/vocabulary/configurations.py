"""Options that are the fields of a class: what reads them makes an object of that class, and a field is worth what the class says
where the user says nothing."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import Class, Items, Value
from loopcheck.read.vocabulary import Call, Python, Row

CODE = """
import transformers


class HfArgumentParser:
    def __init__(self, dataclass_types, **options):
        self.dataclass_types = dataclass_types

    def parse_args_into_dataclasses(self, *args, **options):
        return transformers.hf_argparser.parsed(self.dataclass_types)

    def parse_args_and_config(self, *args, **options):
        return transformers.hf_argparser.parsed(self.dataclass_types)

    def parse_yaml_file(self, *args, **options):
        return transformers.hf_argparser.parsed(self.dataclass_types)

    def parse_json_file(self, *args, **options):
        return transformers.hf_argparser.parsed(self.dataclass_types)

    def parse_dict(self, *args, **options):
        return transformers.hf_argparser.parsed(self.dataclass_types)
"""
TAP = """
class Tap:
    def parse_args(self, *args, **options):
        return self
"""


def parsed(call: Call) -> Value:
    """`tyro.cli(Config)`: an object of the class that is given."""
    return _made(call, call.args[0] if call.args else call.keywords.get("config_class"))


def all_parsed(call: Call) -> Value:
    """`HfArgumentParser((Model, Data)).parse_args_into_dataclasses()`: one object of each class."""
    given = call.args[0] if call.args else None
    classes = given.values if isinstance(given, Items) else (given,)
    return Items(tuple(_made(call, each) for each in classes))


def _made(call: Call, cls: Value | None) -> Value:
    return call.invoke(cls, ()) if isinstance(cls, Class) else call.unknown("config")


FUNCTIONS: Mapping[str, Row] = {
    **dict.fromkeys(("tyro.cli", "pyrallis.parse", "draccus.parse", "simple_parsing.parse", "chz.entrypoint"), parsed),
    "omegaconf.OmegaConf.structured": parsed,
    "transformers.hf_argparser.parsed": all_parsed,
}
FAMILIES: list[tuple[str, Row]] = [
    (r"(transformers|trl)\.(\w+\.)*(HfArgumentParser|TrlParser)$", Python(CODE, "HfArgumentParser")),
    (r"tap\.Tap$", Python(TAP, "Tap")),
]
