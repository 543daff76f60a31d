"""From Python source to the loop: the only room besides `write` that knows libcst."""
