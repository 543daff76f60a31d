"""What holds from one pass of a loop to the next: questions that have one answer, and counts."""

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

SCALED = """
    import os
    import torch
    from torch import distributed as dist
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    def train(model, optimizer, loader, scaler, args):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x), y) / 4
            if {asked}:
                scaler.scale(loss).backward()
            else:
                loss.backward()
            if (i + 1) % 4 == 0:
                if {asked}:
                    scaler.step(optimizer)
                    scaler.update()
                else:
                    optimizer.step()
                optimizer.zero_grad()
"""


def told(text: str) -> set[str]:
    return {each.rule.code for each in check_source(dedent(text).encode(), "train.py", packs.rules()).findings}


@pytest.mark.parametrize(
    "asked",
    [
        "scaler.is_enabled()",
        "scaler is not None and scaler.is_enabled()",
        "bool(scaler)",
        "isinstance(model, DistributedDataParallel)",
        "torch.cuda.is_available()",
        "torch.cuda.device_count() > 1",
        "torch.device(args.device).type == 'cuda'",
        "dist.is_initialized()",
        "dist.get_world_size() > 1",
        "os.environ.get('FP16')",
        "args.precision.lower() == 'fp16'",
        "args.get('fp16')",
        "hasattr(args, 'fp16')",
        "args.fp16 is not None",
    ],
)
def test_what_has_one_answer_has_it_on_every_pass_of_a_window(asked: str) -> None:
    assert told(SCALED.format(asked=asked)).isdisjoint({"LC202", "LC209"})


@pytest.mark.parametrize(
    "asked", ["ready(args)", "scaler.get_scale() > 1", "args.queue.get()", "x.is_cuda", "str(y) > str(x)", "hasattr(x, 'cut')"]
)
def test_what_may_change_is_asked_anew(asked: str) -> None:
    assert told(SCALED.format(asked=asked)) >= {"LC202", "LC209"}


def test_what_an_object_is_given_it_has_from_there_on() -> None:
    asked = SCALED.format(asked="hasattr(args, 'fp16')")
    assert "LC204" not in told(asked)
    assert "LC204" in told(asked.replace("if (i + 1) % 4 == 0:", "args.fp16 = True\n            if (i + 1) % 4 == 0:"))


COUNTED = """
    from torch import nn

    def train(model, optimizer, loader, k):
        {start}
        for epoch in range(9):
            {anew}
            for x, y in loader:
                {before}
                (nn.functional.mse_loss(model(x), y) / k).backward()
                {after}
            {behind}
"""
NOWHERE = dict.fromkeys(("start", "anew", "before", "after", "behind"), "pass") | {"start": "n = 0"}


def missed(**parts: str) -> bool:
    """Whether a clear is missing. Several statements stand on one line, `;` between them."""
    return "LC103" in told(COUNTED.format(**NOWHERE | parts))


FIRST = "n += 1; optimizer.zero_grad() if n % {k} == 1 else None"
FULL = "optimizer.step() if n % {k} == 0 else None"


@pytest.mark.parametrize("k", ["k", "2", "4"])
def test_a_count_goes_on_from_one_epoch_to_the_next(k: str) -> None:
    counted = {"before": FIRST.format(k=k), "after": FULL.format(k=k)}
    assert not missed(**counted)
    assert missed(**counted, behind="n = 7"), "the next epoch begins within a window, who knows where"
    assert missed(**counted, behind="n = n + x" if k == "k" else "n = read()")


AGAIN = "n += 1\n                if n {full}:\n                    optimizer.step()\n                    n = 0"


@pytest.mark.parametrize("full", ["== k", ">= k", "% k == 0"])
@pytest.mark.parametrize("anew", ["pass", "n = 0"])
@pytest.mark.parametrize("test", ["n == 0", "not n"])
def test_a_count_that_begins_again_says_so_on_the_next_pass(full: str, anew: str, test: str) -> None:
    cleared = f"if {test}: optimizer.zero_grad()"
    assert not missed(anew=anew, before=cleared, after=AGAIN.format(full=full))
    assert not missed(anew=anew, before=cleared, after=AGAIN.format(full=full).replace("n += 1", "n = n + 1"))
    assert missed(anew=anew, before=cleared, after=AGAIN.format(full=full).replace("n = 0", "pass"))
    assert missed(anew=anew, before=cleared, after=AGAIN.format(full=full).replace("n = 0", "n = 1"))
    assert missed(anew=anew, after=AGAIN.format(full=full))


def test_where_it_begins_again_elsewhere_it_is_in_no_window() -> None:
    full, cleared = AGAIN.format(full="% k == 0"), "if n % k == 0: optimizer.zero_grad()"
    assert not missed(before=cleared, after=full)
    assert missed(before=cleared, after=full.replace("n = 0", "n = 1"))


@pytest.mark.parametrize("full", ["== k", ">= k"])
def test_nor_is_one_more_forgotten_once_counted(full: str) -> None:
    before, _, after = AGAIN.format(full=full).partition("\n                ")
    assert not missed(before=f"{before}\n                if n == 1: optimizer.zero_grad()", after=after)
    assert missed(before=f"{before}\n                if n == 3: optimizer.zero_grad()", after=after)


def test_what_a_pass_counts_the_next_one_begins_with() -> None:
    after = "n += 1; optimizer.step() if n % k == 0 else None"
    assert not missed(before="if n % k == 0: optimizer.zero_grad()", after=after)
    assert missed(before="if n % j == 0: optimizer.zero_grad()", after=after)


def test_what_a_count_is_on_the_first_pass() -> None:
    counted = {"before": FIRST.format(k="k"), "after": FULL.format(k="k")}
    assert not missed(anew="n = 0", **counted), "1, of which every window is the first batch"
    assert missed(anew="n = 2", **counted)


TAKEN = """
    from torch import nn

    def train(model, optimizer, loader):
        for x, y in loader:
            for part, target in zip(x.chunk(4), y.chunk(4)):
                optimizer.zero_grad()
                nn.functional.mse_loss(model(part), target).backward()
                found = [{taken} for p in model.parameters()]
            optimizer.step()
"""


@pytest.mark.parametrize(
    ("taken", "for_step"),
    [
        ("p.grad.clone()", False),
        ("p.grad.detach().clone()", False),
        ("p.grad * 0.1", False),
        ("0.1 * p.grad", False),
        ("p.grad.norm()", True),
        ("p * 0.1", True),
    ],
)
def test_gradients_whose_numbers_are_taken_on_each_pass_are_not_for_a_step_behind(taken: str, for_step: bool) -> None:
    """What looks at them to log something takes none."""
    assert ("LC304" in told(TAKEN.format(taken=taken))) is for_step


EPOCHS = """
    import torch
    from torch import nn

    START = 1

    def main(args, loader, held, start_epoch=1):
        net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in {counts}:
            if {asked}:
                net.train()
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.cross_entropy(net(x), y).backward()
                optimizer.step()
            net.eval()
            with torch.no_grad():
                print(sum((net(x).argmax(1) == y).sum().item() for x, y in held))
"""


@pytest.mark.parametrize(
    ("counts", "asked", "always"),
    [
        ("range(1, 20)", "epoch > 0", True),
        ("range(1, 20)", "0 < epoch", True),
        ("range(1, 20)", "epoch >= 1", True),
        ("range(1, 20)", "epoch != 0", True),
        ("range(1, 20)", "epoch", True),
        ("range(2, 20, 2)", "epoch - 1 > 0", True),
        ("range(START, 20)", "epoch > 0", True),
        ("range(start_epoch, 20)", "epoch > 0", True),
        ("range(20)", "epoch > 0", True),
        ("range(20)", "epoch != 0", True),
        ("range(args.first, 20)", "epoch > 0", True),
        ("range(1, 20)", "epoch == 1", False),
        ("range(20)", "epoch > 1", False),
        ("range(20)", "epoch % 2", False),
        ("range(1, 20)", "epoch <= 1", False),
        ("range(1, 20)", "epoch < 1", False),
        ("range(5, 0, -1)", "epoch >= 5", False),
    ],
)
def test_what_a_counter_is_on_all_passes_decides_a_test(counts: str, asked: str, always: bool) -> None:
    assert ("LC603" not in told(EPOCHS.format(counts=counts, asked=asked))) is always


MADE_ANEW = """
    import torch
    from torch import nn

    def train(model, loader, args):
        for epoch in range(args.epochs):
            if args.optimizer == "adam":
                optimizer = torch.optim.Adam(model.parameters())
            else:
                {other}
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
"""


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ("optimizer = torch.optim.RMSprop(model.parameters())", True),
        ("raise ValueError(args.optimizer)", True),
        ("optimizer = args.made", False),
        ("pass", False),
    ],
)
def test_an_optimizer_is_made_anew_whichever_it_is(other: str, found: bool) -> None:
    assert ("LC403" in told(MADE_ANEW.format(other=other))) is found


SKIPPING = """
    import itertools
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, DistributedSampler

    def train(rows, model, optimizer, start):
        loader = DataLoader(rows, batch_size=8, sampler=DistributedSampler(rows))
        for epoch in range(3):
            batches = iter(loader)
            {skip}
            for x, y in batches:
                {body}
"""


def test_a_loop_before_may_have_skipped_batches() -> None:
    skip = "for _ in itertools.islice(batches, start): pass"
    learns = "optimizer.zero_grad(); nn.functional.mse_loss(model(x), y).backward(); optimizer.step()"
    assert "LC701" in told(SKIPPING.format(skip=skip, body=learns))
    assert "LC701" in told(SKIPPING.format(skip="pass", body=learns))
    assert "LC701" not in told(SKIPPING.format(skip=skip, body="print(x)"))


ONE_BY_ONE = """
    import torch
    from torch import nn

    def train(loader, args):
        if args.deep:
            model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        else:
            model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            {clip}
            optimizer.step()
"""


def test_a_parameter_of_either_model_is_one_parameter() -> None:
    assert "LC106" in told(ONE_BY_ONE.format(clip="for p in model.parameters(): nn.utils.clip_grad_norm_(p, 1.0)"))
    assert "LC106" not in told(ONE_BY_ONE.format(clip="nn.utils.clip_grad_norm_(model.parameters(), 1.0)"))


FAILING = """
    import torch
    from torch import nn

    def train(model, loader, optimizer):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            if not torch.isfinite(loss):
                optimizer.zero_grad()
                raise ValueError(loss)
            loss.backward()
            optimizer.step()
"""


def test_what_is_done_before_an_error_is_done_nowhere_else() -> None:
    assert "LC103" in told(FAILING)
    assert "LC103" not in told(FAILING.replace("optimizer.step()", "optimizer.step(); optimizer.zero_grad()"))


@pytest.mark.parametrize(
    ("brought", "bar"),
    [
        ("from tqdm import tqdm", "tqdm(loader)"),
        ("from tqdm import tqdm", "tqdm(desc='train', iterable=loader)"),
        ("from tqdm.rich import tqdm", "tqdm(loader)"),
        ("from rich.progress import track", "track(loader, description='train')"),
        ("from alive_progress import alive_it", "alive_it(loader)"),
        ("from fastprogress import progress_bar", "progress_bar(loader, parent=None)"),
        ("from accelerate.utils import tqdm", "tqdm(loader)"),
        ("from accelerate.utils import tqdm", "tqdm(True, loader)"),
        ("from progressbar import progressbar", "progressbar(loader)"),
        ("from stqdm import stqdm", "stqdm(loader)"),
    ],
)
def test_a_progress_bar_is_a_pass_over_its_loader(brought: str, bar: str) -> None:
    text = f"""
        import torch
        import torch.distributed as dist
        from torch import nn
        from torch.nn.parallel import DistributedDataParallel
        from torch.utils.data import DataLoader, DistributedSampler
        {brought}

        def main(dataset, rank):
            dist.init_process_group("nccl")
            model = DistributedDataParallel(nn.Linear(4, 1), device_ids=[rank])
            loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(10):
                loader.sampler.set_epoch(epoch)
                for x, y in {bar}:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(model(x), y).backward()
                    optimizer.step()
    """
    assert "LC701" not in told(text)
    assert "LC701" in told(text.replace("loader.sampler.set_epoch(epoch)", "pass"))
