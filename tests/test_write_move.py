"""`move` as a table: the source before and after, and how safe it is."""

from __future__ import annotations

from textwrap import dedent

import pytest
from repairs import PRELUDE, repaired

from loopcheck import clip, loop_of, move, schedule, step, unscale, zero_grad
from loopcheck.fix import Edit

MOVE = move(clip, before=step)

MOVES = {
    "right after": (
        MOVE,
        """\
        loss.backward()
        optimizer.step()
        clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        """,
        "safe",
    ),
    "its trailing comment goes with it": (
        MOVE,
        """\
        optimizer.step()  # now
        total += loss.item()
        clip_grad_norm_(model.parameters(), 1.0)   # no explosions
        """,
        """\
        clip_grad_norm_(model.parameters(), 1.0)   # no explosions
        optimizer.step()  # now
        total += loss.item()
        """,
        "safe",
    ),
    "the comment of its paragraph goes with it": (
        MOVE,
        """\
        for x in loader:
            optimizer.step()
            # clip, or the
            # gradients explode
            clip_grad_norm_(model.parameters(), 1.0)

            total += 1
        """,
        """\
        for x in loader:
            # clip, or the
            # gradients explode
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()

            total += 1
        """,
        "safe",
    ),
    "the comment of a longer paragraph stays": (
        MOVE,
        """\
        optimizer.step()
        # bookkeeping
        clip_grad_norm_(model.parameters(), 1.0)
        total += 1
        """,
        """\
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        # bookkeeping
        total += 1
        """,
        "safe",
    ),
    "a call of several lines": (
        MOVE,
        """\
        if True:
            optimizer.step()
            norm = torch.nn.utils.clip_grad_norm_(
                model.parameters(),  # all of them
                max_norm=1.0,
            )
        """,
        """\
        if True:
            norm = torch.nn.utils.clip_grad_norm_(
                model.parameters(),  # all of them
                max_norm=1.0,
            )
            optimizer.step()
        """,
        "safe",
    ),
    "its result is read in between": (
        MOVE,
        """\
        optimizer.step()
        print(norm)
        norm = clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        norm = clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(norm)
        """,
        "unsafe",
    ),
    "the gradients are read in between": (
        MOVE,
        """\
        optimizer.step()
        print(model.weight.grad.norm())
        clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(model.weight.grad.norm())
        """,
        "unsafe",
    ),
    "the model is handed on in between": (
        MOVE,
        """\
        optimizer.step()
        watch(model)
        clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        watch(model)
        """,
        "unsafe",
    ),
    "the pass may end in between": (
        MOVE,
        """\
        for x in loader:
            optimizer.step()
            if x is None:
                continue
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        for x in loader:
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            if x is None:
                continue
        """,
        "unsafe",
    ),
    "what it reads is bound in between": (
        MOVE,
        """\
        optimizer.step()
        cap = 1.0
        clip_grad_norm_(model.parameters(), cap)
        """,
        """\
        optimizer.step()
        cap = 1.0
        clip_grad_norm_(model.parameters(), cap)
        """,
        "none",
    ),
    "the guard that is there for it alone goes with it": (
        MOVE,
        """\
        for x in loader:
            optimizer.step()
            if limit:  # optional
                clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        for x in loader:
            if limit:  # optional
                clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        """,
        "safe",
    ),
    "out of a guard that holds more": (
        MOVE,
        """\
        optimizer.step()
        if limit:
            clip_grad_norm_(model.parameters(), 1.0)
            total += 1
        """,
        """\
        if limit:
            clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if limit:
            total += 1
        """,
        "unsafe",
    ),
    "out of a guard that means something else before": (
        MOVE,
        """\
        optimizer.step()
        limit = watch()
        if limit:
            clip_grad_norm_(model.parameters(), 1.0)
            total += 1
        """,
        """\
        optimizer.step()
        limit = watch()
        if limit:
            clip_grad_norm_(model.parameters(), 1.0)
            total += 1
        """,
        "none",
    ),
    "under the window of the step": (
        MOVE,
        """\
        for i, x in enumerate(loader):
            clip_grad_norm_(model.parameters(), 1.0)  # limit
            if (i + 1) % k == 0:
                optimizer.step()
                optimizer.zero_grad()
        """,
        """\
        for i, x in enumerate(loader):
            if (i + 1) % k == 0:
                clip_grad_norm_(model.parameters(), 1.0)  # limit
                optimizer.step()
                optimizer.zero_grad()
        """,
        "safe",
    ),
    "under another guard": (
        MOVE,
        """\
        for x in loader:
            if fine:
                optimizer.step()
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        for x in loader:
            if fine:
                clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
        """,
        "unsafe",
    ),
    "out of the other arm of a guard": (
        MOVE,
        """\
        if fine:
            optimizer.step()
        else:
            total += 1
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        if fine:
            optimizer.step()
        else:
            total += 1
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        "none",
    ),
    "into an else-if": (
        MOVE,
        """\
        if fine:
            total += 1
        elif k:
            optimizer.step()
        clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        if fine:
            total += 1
        elif k:
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        """,
        "unsafe",
    ),
    "out of an else-if": (
        MOVE,
        """\
        optimizer.step()
        if fine:
            total += 1
        elif k:
            clip_grad_norm_(model.parameters(), 1.0)
            total += 1
        """,
        """\
        optimizer.step()
        if fine:
            total += 1
        elif k:
            clip_grad_norm_(model.parameters(), 1.0)
            total += 1
        """,
        "none",
    ),
    "all that an else-if holds": (
        MOVE,
        """\
        optimizer.step()
        if fine:
            total += 1
        elif k:
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        optimizer.step()
        if fine:
            total += 1
        elif k:
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        "none",
    ),
    "all that an arm holds": (
        MOVE,
        """\
        if fine:
            optimizer.step()
        else:
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        if fine:
            optimizer.step()
        else:
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        "none",
    ),
    "into a suite on one line": (
        MOVE,
        """\
        for i, x in enumerate(loader):
            clip_grad_norm_(model.parameters(), 1.0)
            if i % k == 0: optimizer.step()  # last
        """,
        """\
        for i, x in enumerate(loader):
            if i % k == 0: clip_grad_norm_(model.parameters(), 1.0); optimizer.step()  # last
        """,
        "safe",
    ),
    "with a comment into a suite on one line": (
        MOVE,
        """\
        for i, x in enumerate(loader):
            clip_grad_norm_(model.parameters(), 1.0)  # limit
            if i % k == 0: optimizer.step()
        """,
        """\
        for i, x in enumerate(loader):
            clip_grad_norm_(model.parameters(), 1.0)  # limit
            if i % k == 0: optimizer.step()
        """,
        "none",
    ),
    "a guard on one line": (
        MOVE,
        """\
        optimizer.step()
        if limit: clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        if limit: clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        """,
        "safe",
    ),
    "on one line with the step": (
        MOVE,
        "loss.backward(); optimizer.step(); clip_grad_norm_(model.parameters(), 1.0)  # all\n",
        "loss.backward(); clip_grad_norm_(model.parameters(), 1.0); optimizer.step()  # all\n",
        "safe",
    ),
    "first of its line": (
        MOVE,
        "optimizer.step()\nclip_grad_norm_(model.parameters(), 1.0); total += 1\n",
        "clip_grad_norm_(model.parameters(), 1.0)\noptimizer.step()\ntotal += 1\n",
        "safe",
    ),
    "with the unscaling right before it": (
        move(clip, before=step, along=unscale),
        """\
        scaler.step(optimizer)
        total += 1
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        total += 1
        """,
        "safe",
    ),
    "with the unscaling by a framework": (
        move(clip, before=step, along=unscale),
        """\
        optimizer.step()
        watch.unscale_gradients(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        watch.unscale_gradients(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        """,
        "safe",
    ),
    "with the unscaling and the guard of both": (
        move(clip, before=step, along=unscale),
        """\
        scaler.step(optimizer)
        if limit:
            scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        if limit:
            scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        """,
        "safe",
    ),
    "down": (
        move(zero_grad, after=step),
        """\
        for x in loader:
            loss.backward()
            optimizer.zero_grad()
            total += loss.item()
            optimizer.step()
        """,
        """\
        for x in loader:
            loss.backward()
            total += loss.item()
            optimizer.step()
            optimizer.zero_grad()
        """,
        "safe",
    ),
    "down under the window": (
        move(zero_grad, after=step),
        """\
        for i, x in enumerate(loader):
            optimizer.zero_grad()
            loss.backward()
            if (i + 1) % k == 0:
                optimizer.step()
        """,
        """\
        for i, x in enumerate(loader):
            loss.backward()
            if (i + 1) % k == 0:
                optimizer.step()
                optimizer.zero_grad()
        """,
        "safe",
    ),
    "after a step that is skipped at times": (
        move(zero_grad, after=step),
        """\
        last = total % k == 0
        optimizer.zero_grad()
        loss.backward()
        if last:
            if fine:
                optimizer.step()
            scaler.update()
        """,
        """\
        last = total % k == 0
        loss.backward()
        if last:
            if fine:
                optimizer.step()
            optimizer.zero_grad()
            scaler.update()
        """,
        "unsafe",
    ),
    "after a step whose window is not in sight": (
        move(zero_grad, after=step),
        """\
        optimizer.zero_grad()
        loss.backward()
        if fine:
            optimizer.step()
        """,
        """\
        loss.backward()
        if fine:
            optimizer.step()
            optimizer.zero_grad()
        """,
        "unsafe",
    ),
    "after what is in a loop is after the loop": (
        move(schedule, after=step),
        """\
        for epoch in range(9):
            scheduler.step()
            for x in loader:
                optimizer.zero_grad()
                optimizer.step()
                # end of the pass
            print(epoch)
        """,
        """\
        for epoch in range(9):
            for x in loader:
                optimizer.zero_grad()
                optimizer.step()
                # end of the pass
            scheduler.step()
            print(epoch)
        """,
        "safe",
    ),
    "the learning rate is read in between": (
        move(schedule, after=step),
        """\
        for x in loader:
            scheduler.step()
            print(optimizer.param_groups[0]["lr"])
            optimizer.step()
        """,
        """\
        for x in loader:
            print(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        """,
        "unsafe",
    ),
    "out of the loop that it is in": (
        move(schedule, after=loop_of(step)),
        """\
        for epoch in range(9):
            for x in loader:
                optimizer.step()
                scheduler.step()
        """,
        """\
        for epoch in range(9):
            for x in loader:
                optimizer.step()
            scheduler.step()
        """,
        "unsafe",
    ),
    "out of both arms of a test": (
        MOVE,
        """\
        for x in loader:
            if fine:
                scaler.scale(loss).backward()
                # not too far
                clip_grad_norm_(watch(optimizer), 1.0)
            else:
                loss.backward()
                clip_grad_norm_(model.parameters(), 1.0)  # nor here
            total += 1
            if total % k == 0:
                optimizer.step()
        """,
        """\
        for x in loader:
            if fine:
                scaler.scale(loss).backward()
            else:
                loss.backward()
            total += 1
            if total % k == 0:
                if fine:
                    # not too far
                    clip_grad_norm_(watch(optimizer), 1.0)
                else:
                    clip_grad_norm_(model.parameters(), 1.0)  # nor here
                optimizer.step()
        """,
        "unsafe",
    ),
    "out of both arms of a test that comes out otherwise": (
        MOVE,
        """\
        if fine:
            loss.backward()
            clip_grad_norm_(model.parameters(), 1.0)
        else:
            loss.backward()
            clip_grad_norm_(model.parameters(), 2.0)
        fine = watch(model)
        optimizer.step()
        """,
        """\
        if fine:
            loss.backward()
            clip_grad_norm_(model.parameters(), 1.0)
        else:
            loss.backward()
            clip_grad_norm_(model.parameters(), 2.0)
        fine = watch(model)
        optimizer.step()
        """,
        "none",
    ),
    "out of one of three arms": (
        MOVE,
        """\
        if fine:
            loss.backward()
            clip_grad_norm_(model.parameters(), 1.0)
        elif total:
            loss.backward()
        else:
            loss.backward()
            clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        """,
        """\
        if fine:
            loss.backward()
            clip_grad_norm_(model.parameters(), 1.0)
        elif total:
            loss.backward()
        else:
            loss.backward()
            clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        """,
        "none",
    ),
    "into one of two arms that both step": (
        move(schedule, after=step),
        """\
        scheduler.step()
        if k == 1:
            optimizer.step()
        elif fine:
            optimizer.step()
        """,
        """\
        scheduler.step()
        if k == 1:
            optimizer.step()
        elif fine:
            optimizer.step()
        """,
        "none",
    ),
    "under the guard that it has had": (
        move(zero_grad, after=step),
        """\
        if k % 4 == 0:
            optimizer.zero_grad()  # once
        loss.backward()
        if k % 4 == 0:
            optimizer.step()
        """,
        """\
        loss.backward()
        if k % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()  # once
        """,
        "safe",
    ),
    "between functions": (
        MOVE,
        """\
        def finish():
            optimizer.step()

        def limit():
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        """\
        def finish():
            optimizer.step()

        def limit():
            clip_grad_norm_(model.parameters(), 1.0)
        """,
        "none",
    ),
    "already there": (
        MOVE,
        "clip_grad_norm_(model.parameters(), 1.0)\noptimizer.step()\n",
        "clip_grad_norm_(model.parameters(), 1.0)\noptimizer.step()\n",
        "none",
    ),
    "in an expression": (
        MOVE,
        "optimizer.step()\nnorms.append(clip_grad_norm_(model.parameters(), 1.0).item())\n",
        "norms.append(clip_grad_norm_(model.parameters(), 1.0).item())\noptimizer.step()\n",
        "unsafe",
    ),
}


@pytest.mark.parametrize(("fix", "before", "after", "applicability"), MOVES.values(), ids=MOVES)
def test_move(fix: Edit, before: str, after: str, applicability: str) -> None:
    assert repaired(fix, PRELUDE + dedent(before)) == (PRELUDE + dedent(after), applicability)
