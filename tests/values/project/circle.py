"""Imports what imports it."""
import torch.optim
from cycle import FIRST

SECOND = 2


def first():
    return FIRST
