"""``infimum version``: which Infimum this is."""

import platform

import typer

from infimum import __version__
from infimum.cli.failures import guarded

__all__ = ["version"]


@guarded
def version() -> None:
    """Print the version."""
    typer.echo(f"infimum {__version__} (Python {platform.python_version()})")
