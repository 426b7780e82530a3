"""How the command ends when something goes wrong: one sentence and an exit code.

0 success · 1 a bug · 2 bad usage or data · 130 interrupted
"""

import functools
import os
import re
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec
from unicodedata import category

import typer

from infimum.errors import InfimumError

__all__ = ["BUG", "INTERRUPTED", "REFUSED", "guarded", "one_line", "refuse"]

BUG, REFUSED, INTERRUPTED = 1, 2, 130

#: What stands between quotes, such as a name or a cell, is shown up to so far.
_SHOWN = 80
_LONG = re.compile(
    rf"""(?<!\w)(['"])(?:(?!\1)[^\\]|\\.){{{_SHOWN - 1},}}\1(?!\w)""", re.DOTALL
)

#: How files are called until they are whole.
_DRAFT = re.compile(r"\.([^/]+)\.[0-9a-f]{12}\.part$")

Arguments = ParamSpec("Arguments")


def guarded(verb: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Turn whatever a verb raises into a message on stderr and an exit code."""

    @functools.wraps(verb)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            verb(*args, **kwargs)
        except InfimumError as error:
            refuse(_with_notes(str(error), error))
        except KeyboardInterrupt as error:
            rest = _with_notes("", error) or "Nothing was written."
            typer.echo(f"Interrupted. {rest}", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # The reader has gone; Python would complain again when flushing at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(BUG) from None
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except (OSError, MemoryError) as error:
            refuse(_with_notes(_about_the_machine(error), error))
        except Exception:
            _report_bug()

    return run


def refuse(sentence: str) -> None:
    """Say why the command cannot go on, and end it."""
    typer.echo(f"infimum: {one_line(sentence)}", err=True)
    raise typer.Exit(REFUSED)


def one_line(sentence: str) -> str:
    """Return a sentence without line ends and other codes; long names are cut."""
    shown = _LONG.sub(
        lambda found: f"{found[0][: _SHOWN - 2]}…{found[0][-1]}", sentence
    )
    plain = (c.isprintable() or category(c) == "Zs" for c in shown)
    pairs = zip(shown, plain, strict=True)
    return "".join(c if known else repr(c)[1:-1] for c, known in pairs)


def _about_the_machine(error: OSError | MemoryError) -> str:
    """Say what the machine would not do, such as write to a full disk."""
    if isinstance(error, MemoryError):
        return "There is not enough memory for this table; take fewer rows."
    if not error.filename:
        return f"{error.strerror or error}."
    # Of a file that is written under another name first, its own is told.
    where = _DRAFT.sub(r"\1", str(error.filename))
    return f"{error.strerror or error}: {where}."


def _with_notes(sentence: str, error: BaseException) -> str:
    """Return a sentence with what else is worth knowing, such as what was kept."""
    return " ".join([sentence, *getattr(error, "__notes__", [])]).strip()


def _report_bug() -> None:
    typer.echo(traceback.format_exc(), err=True)
    typer.echo(
        "infimum: this is a bug in Infimum, not in your data. Please report the lines "
        "above with the output of `infimum version`.",
        err=True,
    )
    raise typer.Exit(BUG)
