"""The last micro-batches of a pass do not fill a window and are never stepped: they are lost, or leak into the next pass."""

from loopcheck import Confidence, Rule, Witness, again, backward, exhaust, guard_of, no, replace, step, zero_grad

left_over = backward(windowed=True, ragged="known") | backward(windowed=True, ragged="possible")
leaking = backward(windowed=True, ragged="known", restarts=True) | backward(windowed=True, ragged="possible", restarts=True)


def confidence(witness: Witness) -> Confidence:
    """A pass of unknown length may be a whole number of windows: of lengths one in as many as a window has batches is."""
    return Confidence.HIGH if witness[backward].facts["ragged"] == "known" else Confidence.MEDIUM


rule = Rule(
    code="LC303",
    group="advice",
    bug=(
        step >> left_over >> no(step | zero_grad) >> exhaust >> no(step) >> zero_grad >> no(step) >> again(backward),
        step >> leaking >> no(step | zero_grad) >> exhaust >> no(step | zero_grad) >> again(backward),
    ),
    at=step,
    some_paths=Confidence.MEDIUM,  # a window is full on some passes, and not on others
    says="{step} waits for a full window: what {backward} has left over when {exhaust} ends is lost, or leaks into the next pass",
    confidence=confidence,
    fix=replace(guard_of(step), "{was} or {last}").unsafe,
)
