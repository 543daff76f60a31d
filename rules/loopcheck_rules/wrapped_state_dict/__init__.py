"""A checkpoint has the names that things have in a wrapper around the model, and the model itself cannot load it."""

from loopcheck import Rule, recall, receiver_of, replace, snapshot

rule = Rule(
    code="LC705",
    bug=(
        snapshot(of="model", wrapped="module") >> recall(saved=True),
        snapshot(of="model", wrapped="_orig_mod") >> recall(saved=True),
    ),
    group="advice",
    per="state",
    at=snapshot,
    says="{snapshot} has the names of the wrapper, and is saved: the model itself, that files are loaded into, lacks its keys",
    fix=replace(receiver_of(snapshot(wrapped="module")), "{was}.module").unsafe
    | replace(receiver_of(snapshot(wrapped="_orig_mod")), "{was}._orig_mod").unsafe,
)
