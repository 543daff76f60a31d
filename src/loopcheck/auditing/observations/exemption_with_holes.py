"""Some norms and biases are exempt from weight decay, and others are not.

The program sorts its parameters so that one-dimensional ones are not decayed, by names perhaps, and some have slipped
through: a norm that is called otherwise, say. The finding names them.

Silent where nothing is exempt, which is told by `uniform-weight-decay`, and where parameters with more dimensions are exempt
as well: then it is not dimensions that are sorted by.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.observe import Seen, listed
from loopcheck.record.run import Run

rule = Rule(
    code="LA103", bug=end, group="advice", says="`{optimizer}` decays {parameters}, and exempts {exempt} others like them"
)


def look(run: Run) -> Iterator[Seen]:
    for owner in run.readings.owners:
        own = [(each, dict(each.owners)[owner.name]) for each in run.readings.parameters if owner.name in dict(each.owners)]
        exempt = [each for each, decay in own if decay == 0]
        small = [each for each in exempt if len(each.shape) < 2]
        missed = [each.name for each, decay in own if decay and len(each.shape) < 2 and each.learns]
        if small and missed and all(len(each.shape) < 2 or each.kind == "Embedding" for each in exempt):
            words = {"optimizer": owner.name, "parameters": listed(missed), "exempt": str(len(small))}
            yield Seen(owner.made, words)
