"""What is called with data and trains nothing: tokenizers, inference sessions, engines."""

from __future__ import annotations

from loopcheck.read.domain.values import Api, Value
from loopcheck.read.vocabulary import Call, Row


def tool(call: Call) -> Value:
    """Something that computes, and is no model, whatever it is called."""
    return Api(f"{call.name}()")


def cleared(call: Call) -> Value:
    """What has gradients to be cleared is a network, and no tool, whatever it is called."""
    call.emit("zero_grad", (), open=True)
    return call.pure()


FAMILIES: list[tuple[str, Row]] = [
    (r".*\(\)\.zero_grad$", cleared),
    (r"(onnxruntime\.InferenceSession|torch2trt\.TRTModule|transformers\.pipeline)$", tool),
    (r"optimum\.(\w+\.)*(ORT|OV|Neuron|IPEX|INC)(Model|StableDiffusion|Latent)\w*(\.from_pretrained)?$", tool),
    (r"(ctranslate2\.\w+|openvino\.(\w+\.)*(Core|compile_model)|llama_cpp\.Llama(\.from_pretrained)?|vllm\.LLM)$", tool),
    (r"(kenlm\.\w*Model|sentencepiece\.\w+|tokenizers\.\w+)$", tool),
    (r"(\w+\.)*\w*(Tokenizer(Fast)?|Processor)(\.from_pretrained)?$", tool),
    (r"((\w+\.)*\w*(FeatureExtractor|Retriever)\.from_pretrained|transformers\.(\w+\.)*\w*(FeatureExtractor|Retriever))$", tool),
]
PURE = frozenset(
    {
        "ctranslate2",
        "kenlm",
        "llama_cpp",
        "onnxruntime",
        "openvino",
        "sentencepiece",
        "tensorrt",
        "tokenizers",
        "torch2trt",
        "vllm",
    }
)
