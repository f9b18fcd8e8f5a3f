"""The command line: a table of commands, each imported only when it is the one that runs."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from deskcheck.builder import __version__
from deskcheck.oracles.errors import DeskcheckError

COMMANDS = {
    "admit": (
        "deskcheck.builder.commands.admit:admit",
        "Judge a pool's programs and write the dataset of those that make sound cases.",
    ),
    "measure": (
        "deskcheck.builder.commands.measure:measure",
        "Count the trace lengths of a pool's candidates, tens of thousands of them, exactly.",
    ),
    "select": (
        "deskcheck.builder.commands.select:select",
        "Choose measured candidates: so many of each band of trace lengths.",
    ),
    "try": (
        "deskcheck.builder.commands.try_program:try_program",
        "Judge one program with inputs of yours and say at once what becomes of it.",
    ),
    "show": (
        "deskcheck.builder.commands.show:show",
        "Show a case of a dataset: its four arms side by side.",
    ),
    "explain": (
        "deskcheck.builder.commands.explain:explain",
        "Say why a candidate was admitted or rejected, with the measured values.",
    ),
    "evaluate": (
        "deskcheck.evaluate.commands.evaluate:evaluate",
        "Put a dataset's questions to models, store every reply, and grade them.",
    ),
    "grade": (
        "deskcheck.evaluate.commands.grade:grade",
        "Grade the stored replies of a run again.",
    ),
    "report": (
        "deskcheck.analysis.commands.report:report",
        "Make a report of graded runs: accuracy, floors, and a page for each case.",
    ),
    "errors": (
        "deskcheck.analysis.commands.errors:errors",
        "Say of what kind wrong answers are, and have people judge a sample of them.",
    ),
    "compare": (
        "deskcheck.analysis.commands.compare:compare",
        "Compare two settings or two versions of a model, task by task.",
    ),
    "dataset stats": (
        "deskcheck.builder.commands.stats:stats",
        "Print what a dataset is made of, study by study.",
    ),
    "dataset verify": (
        "deskcheck.builder.commands.verify:verify",
        "Look a dataset through and run every oracle again on this machine.",
    ),
    "dataset diff": (
        "deskcheck.builder.commands.diff:diff",
        "Say which questions of two datasets differ, why, and which replies that outdates.",
    ),
    "dataset merge": (
        "deskcheck.builder.commands.merge:merge",
        "Make the whole dataset of its shards.",
    ),
    "dataset export": (
        "deskcheck.builder.commands.export:export",
        "Copy a dataset as the Hub wants it, without the expected answers.",
    ),
    "dataset push": (
        "deskcheck.builder.commands.push:push",
        "Put that copy on the Hugging Face Hub.",
    ),
    "pools list": (
        "deskcheck.builder.commands.pools:list_pools",
        "List the pools that can be named, built-in and third-party.",
    ),
    "pools show": (
        "deskcheck.builder.commands.pools:show_pool",
        "Describe one pool and its options.",
    ),
    "pools check": (
        "deskcheck.builder.commands.pools:check_pool",
        "Check that a pool keeps its contract; run it on a pool of your own.",
    ),
    "doctor": (
        "deskcheck.builder.commands.doctor:doctor",
        "Say what is installed here, what is missing and how to get it.",
    ),
}
"""Command, with its group before it -> (where its `click.Command` is, one line of help)."""

GROUPS = {
    "dataset": "Look into datasets, check, compare, merge and publish them.",
    "pools": "Where programs come from.",
}

_FULL = (errno.ENOSPC, errno.EDQUOT)

PLUGIN_GROUP = "deskcheck.commands"
"""Entry points of third-party commands. A built-in command wins over a plugin of its name."""


class LazyGroup(click.Group):
    """The commands of the table whose names begin with `prefix`; at the top, plugins as well."""

    def __init__(self, name: str, prefix: str = "", help: str = "") -> None:
        super().__init__(name, help=help, context_settings={"help_option_names": ["-h", "--help"]})
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lines())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        full = self.prefix + cmd_name
        if full in GROUPS:
            return LazyGroup(cmd_name, f"{full} ", GROUPS[full])
        if full in COMMANDS:
            module, _, attribute = COMMANDS[full][0].partition(":")
            command: object = getattr(import_module(module), attribute)
            assert isinstance(command, click.Command), full
            return command
        return None if self.prefix else _plugin(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table alone, since asking each would import it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines().items()))

    def _lines(self) -> dict[str, str]:
        lines = {
            full.removeprefix(self.prefix): text
            for full, (_, text) in COMMANDS.items()
            if full.startswith(self.prefix)
        }
        if self.prefix:
            return lines
        top = {name: text for name, text in lines.items() if " " not in name}
        return dict(sorted((_plugin_lines() | top | GROUPS).items()))


def _plugin_lines() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {
        point.name: f"(from {point.dist.name})" if point.dist else ""
        for point in entry_points(group=PLUGIN_GROUP)
    }


def _plugin(name: str) -> click.Command | None:
    from deskcheck.sources.registry import distribution, load_plugin, plugins

    points = plugins(PLUGIN_GROUP, name)
    if not points:
        return None
    command = load_plugin(points, DeskcheckError)
    if not isinstance(command, click.Command):
        raise DeskcheckError(
            f"command {name!r} of {distribution(points[0])} is a {type(command).__name__}",
            f"its entry point in {PLUGIN_GROUP} must name a click.Command",
        )
    return command


builder = click.version_option(__version__, message="Deskcheck %(version)s")(
    LazyGroup(
        "builder",
        help="Build benchmarks that ask a language model to work out what a program does.",
    )
)


def main() -> None:
    """The `builder` command; ends the process with the exit code that `run` gives."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """One command line, to its exit code.

    0 done; 1 a fault of ours; 2 usage; 3 a known error; 130 interrupted; 141 the reader of our
    output went away; a command may end with another code by `sys.exit` or `Context.exit`.
    """
    try:
        if "_BUILDER_COMPLETE" in os.environ:  # a shell asks for completions
            builder.main(prog_name="builder")
        with builder.make_context("builder", list(arguments)) as context:
            builder.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _say(error.format_message(), 3)
    except DeskcheckError as error:
        return _say(str(error), 3)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted; everything finished so far is kept", 130)
    except BrokenPipeError:
        _silence()
        return 141
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            _silence()
            return _say(f"cannot write: {error.strerror}; make room and run it again", 3)
        import traceback

        traceback.print_exc()
        return _say("this is a fault of ours; please report the lines above", 1)
    return 0


def _silence() -> None:
    """Send standard output nowhere, else the interpreter's own flush at exit would complain."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int) -> int:
    print("builder:", " ".join(message.splitlines()), file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
