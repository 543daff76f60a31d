"""Packages that stand beside training: trackers of experiments, and readers and writers of pictures, sound, text and tables. What
they are given they show or keep; no network has another mode for it, and none of their contexts turns autograd off."""

from __future__ import annotations

_TRACKERS = {"clearml", "comet_ml", "dvclive", "mlflow", "neptune", "swanlab", "visdom"}
_PICTURES_AND_SOUND = {
    "SimpleITK", "albumentations", "imageio", "imgaug", "librosa", "nibabel", "pycocotools", "pydicom", "shapely", "skimage",
    "soundfile", "tifffile",
}  # fmt: skip
_TEXT = {"editdistance", "gensim", "jieba", "jiwer", "nltk", "rouge_score", "sacrebleu", "sentencepiece"}
_TABLES_AND_FILES = {
    "addict", "boto3", "dotenv", "easydict", "filelock", "gdown", "h5py", "lmdb", "ml_collections", "msgpack", "orjson", "plotly",
    "polars", "prettytable", "pyarrow", "requests", "seaborn", "statsmodels", "sympy", "tabulate", "termcolor", "ujson", "yacs",
    "zarr",
}  # fmt: skip
_MACHINES = {"GPUtil", "coloredlogs", "colorama", "humanize", "loguru", "pynvml"}
PURE = _TRACKERS | _PICTURES_AND_SOUND | _TEXT | _TABLES_AND_FILES | _MACHINES
