"""What ends a run before it comes to a place, by the text of what surely runs on the way there, and whether anything calls that.

It asks nothing of the interpreter: an import that finds nothing and a call that is refused are what they are whatever the objects
are.
"""
