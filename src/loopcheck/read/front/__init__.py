"""From the text of a file to code in a form of its own, and to what can be told of it at a glance."""
