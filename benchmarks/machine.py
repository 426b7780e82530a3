"""Where and with what a benchmark ran."""

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["describe_machine", "library_versions", "machine_name"]

LIBRARIES = (
    "infimum", "numpy", "scipy", "numba", "scikit-learn", "polars", "celer", "skglm",
    "glum", "scikit-learn-intelex", "snapml", "liblinear-official", "cvxpy",
    "lightgbm", "xgboost", "faiss-cpu", "pykdtree", "hnswlib", "vowpalwabbit", "river",
    "fastcluster", "openTSNE", "KDEpy", "threadpoolctl",
)  # fmt: skip


def describe_machine() -> dict[str, object]:
    """Return processor, cores, memory, system, Python and the threads of BLAS."""
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory() / 2**30, 1),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "threads": thread_pools(),
        "thread_settings": {k: v for k, v in os.environ.items() if "NUM_THREADS" in k},
    }


def processor() -> str:
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.is_file() else ""
    found = re.search(r"model name\s*:\s*(.+)", text)
    return found[1].strip() if found else platform.processor() or platform.machine()


def memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def thread_pools() -> list[str]:
    if not installed("threadpoolctl"):
        return []
    from threadpoolctl import threadpool_info

    return sorted(
        {f"{p['internal_api']}: {p['num_threads']}" for p in threadpool_info()}
    )


def machine_name() -> str:
    """Return a short file-name form of the processor, such as ``amd-epyc-2-cores``."""
    words = re.sub(r"\(.*?\)|@.*|\bCPU\b|\bProcessor\b", " ", processor())
    slug = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return f"{slug or 'machine'}-{len(os.sched_getaffinity(0))}-cores"


def library_versions() -> dict[str, str]:
    """Return the version of every library that may have taken part."""
    return {name: version(name) for name in LIBRARIES if installed(name)}


def installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True
