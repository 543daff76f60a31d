"""A distributed sampler is never told the epoch, so every epoch repeats one order."""

from loopcheck import Rule, again, insert, iterate, no, set_epoch

rule = Rule(
    code="LC701",
    bug=iterate(distributed=True, shuffled=True, training=True) >> no(set_epoch(varying=True)) >> again,
    per="loader",
    every_path=True,
    says="{iterate} begins every epoch with the same order: the sampler of {loader} is not told the epoch",
    fix=insert("{sampler}.set_epoch({epoch})", before=iterate) | insert("{loader}.sampler.set_epoch({epoch})", before=iterate),
)
