"""How Infimum is built: by hatchling, with machine code in the wheel.

A wheel made for this machine holds the compiled form of the declared loops, so that
nothing is compiled at a first call. ``INFIMUM_BASELINE=x86-64-v3`` makes it for every
processor of that level, ``INFIMUM_BASELINE=none`` leaves machine code out. If compiling
fails, the wheel is whole without it, and loops are compiled when first called.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling import build as hatchling
from hatchling.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = [
    "MachineCode",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

#: What compiling needs; an editable installation compiles at first calls and does not.
_NEEDED = ["numba>=0.61", "numpy>=2.0", "scipy>=1.15", "threadpoolctl>=3.5"]
#: Seconds after which what is not compiled yet is left to first calls. Two cores that
#: are free need a tenth of it.
_LIMIT = 600
_RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); "
_RUN += "from infimum.compiled.filling import main; sys.exit(main())"


def get_requires_for_build_wheel(settings: dict[str, Any] | None = None) -> list[str]:
    """Return what must be installed before a wheel is built."""
    needed = [] if _baseline() == "none" else _NEEDED
    return [*hatchling.get_requires_for_build_wheel(settings), *needed]


class MachineCode(BuildHookInterface):
    """Compile the declared loops into a folder, which becomes part of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder, whatever came of compiling."""
        if version == "editable" or _baseline() == "none":
            return
        self.folder = tempfile.mkdtemp()
        note = _compile(Path(self.root) / "src", self.folder)
        sys.stderr.write(f"{note}\n")
        Path(self.folder, "note.txt").write_text(f"{note}\n", encoding="utf-8")
        build_data["force_include"][self.folder] = "infimum/compiled/machine_code"
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Clear up."""
        shutil.rmtree(getattr(self, "folder", ""), ignore_errors=True)


def _baseline() -> str:
    return os.environ.get("INFIMUM_BASELINE", "")


def _compile(sources: Path, folder: str) -> str:
    """Fill a folder, and say in one sentence what came of it."""
    command = [sys.executable, *_own_compiler(), "-c", _RUN, str(sources), folder]
    command += ["--limit", str(_LIMIT)]
    if _baseline():
        command += ["--baseline", _baseline()]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_LIMIT + 30, check=False
        )
        said = (done.stderr if done.returncode else done.stdout).strip().splitlines()
        return said[-1 if done.returncode else 0]
    except (OSError, subprocess.SubprocessError, IndexError) as error:
        return f"Nothing was compiled: {error}"


def _own_compiler() -> list[str]:
    """Return the flag that makes Python see what is installed, if numba is.

    A build has an environment of its own with the newest numba. Machine code serves
    only the version that made it: an installation that keeps its numba needs that one.
    """
    asked = [sys.executable, "-I", "-c", "import numba, scipy, threadpoolctl"]
    found = subprocess.run(asked, capture_output=True, check=False)
    return [] if found.returncode else ["-I"]
