"""The observations, each a module, found by its name."""
