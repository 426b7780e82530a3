"""The command: one file a verb.

Verbs import what they need when they run, so that ``infimum --help`` is instant.
"""

import sys
from io import TextIOWrapper

import typer

from infimum.cli.certify import certify
from infimum.cli.compare import compare
from infimum.cli.learn import learn
from infimum.cli.predict import predict
from infimum.cli.report import report
from infimum.cli.version import version

__all__ = ["app", "main"]

app = typer.Typer(
    name="infimum",
    help="Machine learning with proof.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for verb in (learn, predict, certify, compare, report, version):
    app.command()(verb)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that lacks a sign shows a question mark instead of a bug.
            stream.reconfigure(errors="replace")
    app()
