"""How the command ends when something goes wrong: one sentence and an exit code.

0 success · 1 a bug · 2 bad usage or data · 130 interrupted
"""

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec

import typer

from infimum.errors import InfimumError

__all__ = ["BUG", "INTERRUPTED", "REFUSED", "guarded", "refuse"]

BUG, REFUSED, INTERRUPTED = 1, 2, 130

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
    typer.echo(f"infimum: {sentence}", err=True)
    raise typer.Exit(REFUSED)


def _about_the_machine(error: OSError | MemoryError) -> str:
    """Say what the machine would not do, such as write to a full disk."""
    if isinstance(error, MemoryError):
        return "There is not enough memory for this table; take fewer rows."
    where = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{where}."


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
