"""Judging a run of the user's own: starting it under the recorder, or recording from inside, and joining what it did with what
its source says."""
