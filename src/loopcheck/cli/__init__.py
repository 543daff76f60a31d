"""The command line. Every module of this package is a command, found by its name and loaded when it is called."""

from __future__ import annotations

import difflib
import gc
import os
import pkgutil
import signal
import sys
from importlib import import_module
from typing import Any

import click

import loopcheck
from loopcheck import garbage
from loopcheck.misuse import Misuse
from loopcheck.printable import printable

DEFAULT = "check"

OK, FOUND, WRONG_USE, FAILED = 0, 1, 2, 3
"""Exit codes. 0: every file was judged and nothing found. 1: something was. 2: wrong use. 3: a file could not be analysed."""
INTERRUPTED = 130


class _WrongUse(click.ClickException):
    exit_code = WRONG_USE


class Commands(click.Group):
    """The commands of this package; what does not begin with the name of one is given to `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {name for option in self.get_params(ctx) for name in option.opts}
        if args and args[0] not in own and args[0] not in self.list_commands(ctx):
            self._refuse_misspelled(ctx, args[0])
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelled(self, ctx: click.Context, word: str) -> None:
        """What is no path, and nearly a command, is meant as one."""
        near = difflib.get_close_matches(word, self.list_commands(ctx), 1, cutoff=0.7)
        if near and not word.startswith("-") and not os.path.lexists(word):
            raise _WrongUse(f"there is no command and no file `{printable(word)}`; did you mean `{near[0]}`?")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name for module in pkgutil.iter_modules(__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        with garbage.later():
            command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Misuse as misuse:
            raise _WrongUse(printable(str(misuse), kept="\n")) from None
        except click.UsageError as error:
            if error.ctx and error.format_message() == error.ctx.get_help():  # of a group that was given no command
                raise
            raise click.UsageError(printable(error.format_message().replace("\n", " ")), error.ctx) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(loopcheck.__version__, message="loopcheck %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Finds what breaks PyTorch training loops silently, proves it, and mends it.

    `loopcheck PATH...` is `loopcheck check PATH...`; a path named like a command is written `./prove`.
    """
    context.color = colours()


def colours() -> bool | None:
    """Whether to colour, as the environment asks for it; None where that is for the terminal to say."""
    asked = {name: os.environ.get(name, "") for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM")}
    if asked["NO_COLOR"] or asked["FORCE_COLOR"] == "0":
        return False
    if asked["FORCE_COLOR"] or asked["CLICOLOR_FORCE"] not in ("", "0"):
        return True
    return False if asked["CLICOLOR"] == "0" or asked["TERM"] == "dumb" else None


def rule_names(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The names and codes of rules that begin so, for a shell to complete."""
    from loopcheck import packs

    return [word for rule in packs.rules() for word in (rule.name, rule.code) if word.startswith(begun)]


def main() -> None:
    """Run the command line as a program."""
    if hasattr(signal, "SIGPIPE"):  # `loopcheck train.py | head` ends quietly
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):  # a terminal without a character shows a `?`
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    status = _status()
    if "torch" not in sys.modules:  # nobody's program ran here, whose objects have to be told that it ends
        gc.freeze()  # what was read goes with the process: nobody need look through it for garbage at exit
    sys.exit(status)


def _status() -> Any:
    try:
        return program.main(prog_name="loopcheck", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Exception as error:
        from loopcheck.job import crash

        click.echo(f"Error: {printable(crash(error))}", err=True)
        return FAILED
