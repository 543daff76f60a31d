"""`torch.save` opens its file before it writes, and what was in it is gone; a rename puts one whole file in place of another
at once (POSIX, `rename`). The script ends in the middle of its third write, as a run that is killed does.
"""

from loopcheck.prove import Run, claim, equals


@claim("epoch that there is to go on from", bad=equals("none: the file cannot be read"), good=equals("1"))
def left(run: Run) -> str:
    return run.stdout.strip().partition("epoch to go on from: ")[2]


@claim("writes into the file that there is to go on from", bad=equals(3), good=equals(0))
def over(run: Run) -> int:
    return sum(each.path.endswith("last.pt") for each in run.saves)
