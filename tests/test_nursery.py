"""The process from which recorders are forked: several ranks of a script, and what becomes of them when one fails."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

from loopcheck import record
from loopcheck.record import nursery

KEPT = """
    import sys
    import torch.distributed as dist

    dist.init_process_group("gloo")
    dist.destroy_process_group()
    print(dist.is_initialized(), len(sys.modules["loopcheck.record.child"]._GROUPS))
"""

MEETING = """
    import os, socket

    port = int(os.environ["MASTER_PORT"])
    if os.environ["RANK"] == "0":
        try:
            socket.socket().bind(("127.0.0.1", port))
            print("given to another")
        except OSError:
            print("held")
        socket.create_server(("127.0.0.1", port))
        print("listens")
"""


def test_those_that_wait_for_one_that_has_failed_have_a_moment() -> None:
    programs = ["raise SystemExit(7)", "import time; time.sleep(60)"]
    children = [subprocess.Popen([sys.executable, "-c", each]) for each in programs]
    began = time.monotonic()
    assert nursery._await([each.pid for each in children], 50, 0.3) == [7, -9]
    assert time.monotonic() - began < 20


def test_what_does_not_end_in_time_is_killed() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    assert nursery._await([child.pid], 0.3, 50) == [-9]


def test_each_rank_is_told_which_it_is(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import os\nprint(os.environ['RANK'], os.environ['WORLD_SIZE'])\n", encoding="utf-8")
    with record.Nursery(device="cpu") as started:
        run = started.record(script, ranks=2)
        alone = started.record(tmp_path / "train.py", timeout=60)
    assert [each.stdout for each in run.ranks] == ["0 2\n", "1 2\n"]
    assert "KeyError: 'RANK'" in alone.stderr


def test_nobody_else_is_given_the_port_where_ranks_meet(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(dedent(MEETING), encoding="utf-8")
    with record.Nursery(device="cpu") as started:
        runs = [started.record(script, ranks=2), record.record(script, device="cpu", ranks=2)]
    assert [run.stdout for run in runs] == ["held\nlistens\n"] * 2


def test_a_process_group_is_kept_that_its_script_is_done_with(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(dedent(KEPT), encoding="utf-8")
    with record.Nursery(device="cpu", measure=True) as started:
        assert [each.stdout for each in started.record(script, ranks=2).ranks] == ["False 1\n", "False 1\n"]
