"""Hands on what is in it."""
from .inner import NAME as value
from .inner import build as handed_on
