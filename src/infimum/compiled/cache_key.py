"""The key of kept machine code: all sources, the compiler's versions, the processor.

A loop contains the loops it calls, wherever they are written, so its own file does not
tell whether its machine code is still right. The key here hashes all files of this
package, shelf by shelf. Code that was made for a stated baseline serves every processor
that has the baseline's features.
"""

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
from numba.core import config as numba_config

__all__ = ["BASELINES", "HERE", "baseline_features", "processors", "sources_key"]

config: Any = numba_config
#: The folder of the loops.
HERE = Path(__file__).resolve().parent
#: What the processors of a level have, in LLVM's words.
BASELINES = {
    "x86-64-v3": (
        *("cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"),
        *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
    )
}
#: Settings of numba that change what it makes of the same source.
_SETTINGS = (
    *("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE"),
    *("ENABLE_AVX", "LLVM_REFPRUNE_PASS", "USE_LLVM_LEGACY_PASS_MANAGER"),
)


def sources_key(folder: Path = HERE) -> str:
    """Return the hash of the loops and of a folder, as they are on disk now."""
    other = set() if folder.is_relative_to(HERE) else {folder}
    return _key(tuple(_looks(each) for each in sorted({*_shelves(), *other})))


@cache
def _shelves() -> list[Path]:
    """Return the folders of the loops: this one, and the packages in it."""
    return [HERE, *(each.parent for each in HERE.glob("*/__init__.py"))]


def _looks(folder: Path) -> tuple[Path, tuple[tuple[str, int, int], ...]]:
    """Return names, times and sizes: files that look as before are not read again."""
    with os.scandir(folder) as entries:
        files = [(each.name, each.stat()) for each in entries if _is_source(each)]
    return folder, tuple(sorted((n, s.st_mtime_ns, s.st_size) for n, s in files))


def _is_source(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".py")


@cache
def _key(folders: tuple[Any, ...]) -> str:
    made = hashlib.sha256(repr(_compiler()).encode())
    for folder, files in folders:
        for name, *_ in files:
            text = (folder / name).read_bytes()
            made.update(f"{folder.name}/{name} {len(text)}\n".encode() + text)
    return made.hexdigest()[:24]


def _compiler() -> tuple[Any, ...]:
    settings = tuple(getattr(config, name, None) for name in _SETTINGS)
    python = sys.implementation.cache_tag, getattr(sys, "abiflags", "")
    return numba.__version__, llvmlite.__version__, python, settings


def processors(codegen: Any) -> list[str]:
    """Return the names of the processors whose code runs here, this one first."""
    triple, cpu, features = codegen.magic_tuple()
    return _processors(triple, cpu, features)


@cache
def _processors(triple: str, cpu: str, features: str) -> list[str]:
    found = [_named(triple, cpu, features)]
    if config.CPU_NAME is None and config.CPU_FEATURES is None:
        have = {each[1:] for each in features.split(",") if each.startswith("+")}
        found += [
            _named(triple, name, baseline_features(name))
            for name, needed in BASELINES.items()
            if have.issuperset(needed)
        ]
    return found


def baseline_features(name: str) -> str:
    """Return a baseline as numba's setting ``NUMBA_CPU_FEATURES``."""
    return ",".join(f"+{each}" for each in BASELINES[name])


def _named(*facts: str) -> str:
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]
