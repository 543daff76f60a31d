import argparse

from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--late", type=int, default=0)
parser.add_argument("--norm", type=float, default=1.0)
args = parser.parse_args()


def apply(model):
    if not args.late:
        nn.utils.clip_grad_norm_(model.parameters(), args.norm)  # bug: clip-after-step
