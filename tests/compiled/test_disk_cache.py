"""Loops run where machine code cannot be kept, and are kept where it is safe."""

import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest
from numba import cfunc, njit, types
from numba.core.caching import FunctionCache

from infimum.compiled import pool_violators
from infimum.compiled.disk_cache import TemporaryLocator, own_directory
from infimum.losses import Huber

PLACES = FunctionCache._impl_class
ALL = tuple(PLACES._locator_classes)


@pytest.fixture
def read_only(monkeypatch, tmp_path):
    """Give numba no writable place but the temporary files, which are `tmp_path`."""
    monkeypatch.setattr(PLACES, "_locator_classes", [TemporaryLocator])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def nowhere(read_only, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(read_only / "gone"))
    return read_only


def compiled():
    """Return a loop of the house as if it were met for the first time."""
    loop = njit(cache=True, nogil=True)(pool_violators.py_func)
    values = np.array([1.0, 3.0, 2.0])
    loop(values, np.ones(3))
    np.testing.assert_allclose(values, [1.0, 2.5, 2.5])
    return loop


def test_the_usual_places_are_asked_first():
    assert ALL.index(TemporaryLocator) == len(ALL) - 1


def test_loops_are_kept_among_temporary_files_where_nothing_else_can_be_written(
    read_only,
):
    assert sum(compiled().stats.cache_misses.values()) == 1
    assert sum(compiled().stats.cache_hits.values()) == 1
    assert [*read_only.rglob("*.nbc")]


def test_loops_and_formulas_run_where_nothing_at_all_can_be_written(nowhere):
    compiled()
    formula = Huber().slope
    number, numbers = types.float64, types.Array(types.float64, 1, "C")
    cfunc(number(number, number, numbers), cache=True)(formula)
    assert not [*nowhere.iterdir()]


def test_a_place_that_others_may_write_to_is_not_used(read_only):
    place = own_directory()
    assert place is not None
    place.chmod(0o770)
    assert own_directory() is None
    place.rmdir()
    place.symlink_to(read_only)
    assert own_directory() is None


def test_machine_code_that_was_cut_short_is_made_again(read_only):
    compiled()
    for kept in (*read_only.rglob("*.nbi"), *read_only.rglob("*.nbc")):
        kept.write_bytes(kept.read_bytes()[:40])
    compiled()
    assert sum(compiled().stats.cache_hits.values()) == 1


def test_the_house_opens_where_numba_knows_no_place():
    code = (
        "from numba.core.caching import FunctionCache as kept; "
        "del kept._impl_class._locator_classes[1:]; "
        "import infimum.compiled as c; import numpy as np; x = np.array([3.0, 1]); "
        "c.pool_violators(x, np.ones(2)); print(x)"
    )
    away = {"HOME": "/nonexistent", "TMPDIR": "/nonexistent"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path), "PATH": os.environ["PATH"], **away},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "[2. 2.]", done.stderr
