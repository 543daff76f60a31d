"""Imports what imports it."""
import torch.optim
from circle import SECOND

FIRST = 1


def second():
    return [FIRST, SECOND]
