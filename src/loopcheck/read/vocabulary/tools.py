"""What is called with data and trains nothing: metrics, tokenizers, inference sessions."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.values import Api, Value
from loopcheck.read.vocabulary import Builds, Call, Row, Same, plain


def tool(call: Call) -> Value:
    """Something that computes, and is no model, whatever it is called."""
    return Api(f"{call.name}()")


_METRIC = Builds("metric", keeps=lambda call: {"moded": False, "vectors": False})

FAMILIES: list[tuple[str, Row]] = [
    (r"(torchmetrics|torcheval\.metrics)\.(?!functional)(\w+\.)*[A-Z]\w+$", _METRIC),
    (r"(onnxruntime\.InferenceSession|kenlm\.\w*Model|sentencepiece\.\w+|tokenizers\.\w+|transformers\.pipeline)$", tool),
    (r"(\w+\.)*\w*(Tokenizer(Fast)?|Processor|FeatureExtractor|Retriever)(\.from_pretrained)?$", tool),
]
METHODS: Mapping[tuple[str, str], Row] = {
    **{("metric", name): plain for name in ("__call__", "compute", "forward", "merge_state", "reset", "update")},
    **{("metric", name): Same() for name in ("clone", "cpu", "cuda", "to")},
}
PURE = {"kenlm", "onnxruntime", "sentencepiece", "tokenizers", "torcheval", "torchmetrics"}
