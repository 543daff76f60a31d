"""Architectures that differ between train and eval mode as they come, by a dropout, a depth, or a batch norm, and some that do
not.

Those of `transformers` are read off the defaults of the configurations of transformers 4.57. Language models of recent years,
CLIP, Whisper and most vision transformers have nothing of the kind, and what is 0 in the published checkpoints, as in ESM, is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Set

_CLASS = re.compile(
    r"\.("
    r"Autoformer|Bart|Beit|Bert|BertGeneration|BigBird|BigBirdPegasus|BioGpt|Blenderbot|BlenderbotSmall|Bros|"
    r"CTRL|Camembert|Canine|ConditionalDetr|ConvBert|Cvt|DPR|DabDetr|Data2VecAudio|Data2VecText|Deberta|"
    r"DecisionTransformer|DeformableDetr|Detr|Dinat|DistilBert|EfficientNet|Electra|EncoderDecoder|Ernie|FNet|"
    r"FSMT|Flaubert|FocalNet|Funnel|GPT2|GPTBigCode|Git|Hubert|IBert|ImageGPT|Informer|LED|LayoutLM|Levit|"
    r"Lilt|LongT5|Longformer|Luke|Lxmert|M2M100|MBart|MPNet|MT5|Marian|MarkupLM|MegatronBert|MobileNetV1|"
    r"MobileNetV2|MobileViT|Mra|Mvp|NllbMoe|Nystromformer|OPT|OpenAIGPT|PLBart|Pegasus|PegasusX|Perceiver|"
    r"Pix2Struct|ProphetNet|Reformer|RegNet|ResNet|RoCBert|RoFormer|Roberta|RobertaPreLayerNorm|SEW|SEWD|"
    r"Segformer|Speech2Text|SpeechEncoderDecoder|SpeechT5|Splinter|SqueezeBert|Swin|Swin2SR|SwitchTransformers|T5|"
    r"TableTransformer|Tapas|TimeSeriesTransformer|TrOCR|UMT5|Udop|UniSpeech|UniSpeechSat|VisionEncoderDecoder|"
    r"VisualBert|Wav2Vec2|Wav2Vec2Conformer|WavLM|XGLM|XLM|XLMProphetNet|XLMRoberta|XLMRobertaXL|XLNet|Xmod|Yoso"
    r")(v[23]|V[23])?(Backbone|Context|Double|Encoder|For|LM|MT|Model|Question|Reader)\w*\."
)
_CHECKPOINT = re.compile(
    r"(^|[/_-])((xlm|bio|sci|legal|fin|code|graphcode|distil|mega|pub|clinical)?-?(bert|roberta)|bart|beit|biogpt|camembert|deberta"
    r"|detr|distilgpt2|electra|ernie|gpt2|hubert|layoutlm(v[23])?|led|longformer|m2m100|mbart|mpnet|mt5|nllb|opt|pegasus|plbart"
    r"|prophetnet|resnet|segformer|speecht5|swin(v2)?|t5|trocr|wav2vec2|wavlm|xglm|xlnet)(?![a-z])"
)
"""What checkpoints of them are called, for `AutoModel`."""


def differs(name: str, checkpoint: str | None) -> bool:
    """Whether a network is known to be of such an architecture: the class tells it, or else what its checkpoint is called.

    name: of the function that makes it, `transformers.BertModel.from_pretrained`. checkpoint: None where that is not known.
    """
    if ".Auto" in name:
        return checkpoint is not None and bool(_CHECKPOINT.search(checkpoint))
    return bool(_CLASS.search(name))


_ALIKE = re.compile(r"\.Autoencoder(KL|Tiny)\.from_\w+$")
"""The autoencoders of diffusers under latent diffusion: group norms, and no dropout that a configuration could ask for."""


def alike(name: str) -> bool:
    """Whether a network is known to be the same in both modes, by the function that makes it."""
    return bool(_ALIKE.search(name))


_PLAIN = re.compile(
    r"^torchvision\.models\.(\w+\.)?vit_[bhl]_\d+$"
    r"|^timm\b.*[./:](beit|beitv2|cait|convnext|convnextv2|deit|deit3|eva|eva02|mixer|vit)_"
)
"""Vision transformers of torchvision 0.24, and networks of timm 1.0 without batch norms that drop nothing unless told."""

_DETECTOR = re.compile(
    r"\.detection\.(\w+\.)?((fasterrcnn|fcos|keypointrcnn|maskrcnn|retinanet)_resnet50_fpn|fasterrcnn_mobilenet_v3_large_(320_)?fpn"
    r"|ssd300_vgg16|\w+Predictor)$"
)
"""Detectors of torchvision on a backbone of trained weights, whose batch norms are frozen: the mode only says what they put out,
losses or boxes. What predicts the boxes has no modes either."""


def ready_made(name: str, given: Set[str] | None) -> bool | None:
    """Whether a network that a function makes by an architecture's name differs between the modes; most do.

    name: of the function, or what it is told. given: the options by name, that of another norm among them; None where those are
    not all in sight.
    """
    if _PLAIN.search(name):
        return None if given is None or any("drop" in each for each in given) else False
    if given is not None and "norm_layer" in given:
        return None
    if _DETECTOR.search(name):
        return None if given is None or any("backbone" in each for each in given) else False
    return None if ".detection." in name and re.search(r"\.[A-Z]\w*$", name) else True
