"""Every rank runs the whole script, so a save that no test of the rank guards is run by each of them. Two real ranks run the
scripts.
"""

from collections import Counter

from loopcheck.prove import Run, claim, equals

RANKS = 2


@claim("ranks that write the same file", bad=equals(RANKS), good=equals(1))
def writers(run: Run) -> int:
    return max(Counter(path for rank in run.ranks for path in {each.path for each in rank.saves}).values())
