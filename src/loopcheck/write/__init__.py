"""From a witness to edited source: plan a repair as edits of spans, and carry edits out on the bytes of a file."""
