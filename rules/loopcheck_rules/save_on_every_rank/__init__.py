"""All processes of a distributed run write their checkpoint to one file, at the same time."""

from loopcheck import Rule, guard, save

rule = Rule(
    code="LC704",
    bug=save(ranks=True),
    per="model",
    says="every rank comes to {save}, and they write one file at the same time",
    fix=guard(save, "not dist.is_initialized() or dist.get_rank() == 0", requires="import torch.distributed as dist").unsafe,
)
