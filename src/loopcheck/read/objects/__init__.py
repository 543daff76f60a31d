"""What the objects of a program are to a training loop, and what only shows when a loop or an entry has been read whole."""
