"""An optimizer steps what it holds. A parameter that it was not given gets a gradient with each backward and keeps its value."""

from loopcheck.prove import Run, above, claim, equals


@claim("norm of the change of the unfrozen layer", bad=equals(0.0), good=above(0.01))
def change(run: Run) -> float:
    return float(run.stdout.partition("the body has moved by ")[2])
