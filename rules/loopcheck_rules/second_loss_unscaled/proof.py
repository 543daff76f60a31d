"""`GradScaler.step` divides the accumulated gradients by the scale (PyTorch, `torch.amp`). What a loss that was not multiplied
by it has added to them is made smaller by that factor: 1024.
"""

from loopcheck.prove import Run, claim, equals

SCALE = 1024.0


@claim("weight of the second loss in the gradient of a step", bad=equals(1 / SCALE, within=1e-6), good=equals(1.0, within=1e-6))
def weight(run: Run) -> float:
    first, second = run.backwards[:2]
    added = run.steps[0].gradient - first.gradient / SCALE
    true = second.gradient if second.norm < first.norm / 100 else second.gradient / SCALE
    return float(added.norm() / true.norm())
