"""The built-in rules, one folder each."""
