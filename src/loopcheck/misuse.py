"""Errors that the person who called can mend."""


class Misuse(Exception):
    """Something the caller asked for cannot be: what, where, and what to do about it. The command line exits with 2."""
