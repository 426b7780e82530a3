"""``infimum version``: which Infimum this is."""

import platform

import typer

from infimum import __version__
from infimum.cli.failures import guarded

__all__ = ["told", "version"]


@guarded
def version() -> None:
    """Print the version."""
    told(asked=True)


def told(asked: bool) -> None:  # noqa: FBT001
    """Print the version and end, if that was asked for."""
    if asked:
        typer.echo(f"infimum {__version__} (Python {platform.python_version()})")
        raise typer.Exit
