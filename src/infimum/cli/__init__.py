"""The command: one file a verb.

Verbs import what they need when they run, so that ``infimum --help`` is instant.
"""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from infimum.cli.certify import certify
from infimum.cli.compare import compare
from infimum.cli.compile import compile_loops
from infimum.cli.learn import learn
from infimum.cli.plan import plan
from infimum.cli.predict import predict
from infimum.cli.rank import rank
from infimum.cli.recommend import recommend
from infimum.cli.report import report
from infimum.cli.version import told, version

__all__ = ["app", "main"]

app = typer.Typer(
    name="infimum",
    help="Machine learning with proof.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def start(
    show: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--version", is_eager=True, callback=told, help="Say the version."
        ),
    ] = False,
) -> None:
    """Machine learning with proof."""


for verb in (learn, predict, certify, compare, plan, rank, recommend, report, version):
    app.command()(verb)
app.command("compile")(compile_loops)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that lacks a sign shows a question mark instead of a bug.
            stream.reconfigure(errors="replace")
    app()
