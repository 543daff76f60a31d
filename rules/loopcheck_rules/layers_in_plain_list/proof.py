"""`Module.parameters()` yields the parameters of attributes that are modules or parameters, and of what those hold; a list is
neither (PyTorch, "torch.nn.ModuleList"). Six tensors, weights and biases of three layers, are missing, and never change.
"""

from loopcheck.prove import Run, claim, equals


@claim("tensors among the model's parameters", bad=equals(4), good=equals(10))
def parameters(run: Run) -> int:
    return len(run.start_weights)


@claim(
    "elements of the gradient that a step reads", bad=equals(6 * 16 + 16 + 16 + 1), good=equals(6 * 16 + 16 + 16 + 1 + 3 * 272)
)
def elements(run: Run) -> int:
    return run.steps[0].gradient.numel()
