"""Loops run where machine code cannot be kept, and are kept where it is safe."""

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from infimum.compiled import cache_places, callbacks, disk_cache
from infimum.compiled.descent.pooled_violators import pool_violators
from infimum.compiled.loop import loop
from infimum.losses import Huber


@pytest.fixture
def place(monkeypatch, tmp_path):
    monkeypatch.setenv("INFIMUM_MACHINE_CODE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def nowhere(monkeypatch):
    monkeypatch.setenv("INFIMUM_MACHINE_CODE", "/dev/null/nowhere")


def compiled():
    """Return a loop of the house as if it were met for the first time."""
    made = loop()(pool_violators.py_func)
    values = np.array([1.0, 3.0, 2.0])
    made(values, np.ones(3))
    np.testing.assert_allclose(values, [1.0, 2.5, 2.5])
    return made


def hits(made):
    return sum(made.stats.cache_hits.values())


def formula():
    callbacks.compile_pointer.cache_clear()
    return callbacks.compile_formula(Huber().derivative_formula)


def test_loops_and_formulas_are_found_again(place):
    assert [hits(compiled()), hits(compiled())] == [0, 1]
    assert [formula().cache_hits, formula().cache_hits] == [0, 1]
    assert len([*place.rglob("*.*")]) == 2


def test_loops_and_formulas_run_where_nothing_at_all_can_be_written(nowhere):
    assert [hits(compiled()), hits(compiled())] == [0, 0]
    assert formula().address


def test_a_formula_of_a_user_is_compiled_where_numba_finds_no_place(monkeypatch):
    made = {}
    exec("def derivative(y, f, parameters):\n    return f - y", made)
    assert callbacks.compile_formula(made["derivative"]).address


def test_a_full_disk_leaves_nothing_behind(place, monkeypatch):
    def full(path, content):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert [hits(compiled()), hits(compiled())] == [0, 0]
    assert [each for each in place.rglob("*") if each.is_file()] == []


@pytest.mark.parametrize(("before", "length"), [(b"", 40), (b"", 0), (b"x", None)])
def test_machine_code_that_was_damaged_is_made_again(place, before, length):
    compiled()
    for kept in place.rglob("pooled*"):
        kept.write_bytes(before + kept.read_bytes()[:length])
    assert [hits(compiled()), hits(compiled())] == [0, 1]


def test_the_first_place_that_can_be_written_to_is_used(monkeypatch, tmp_path):
    monkeypatch.delenv("INFIMUM_MACHINE_CODE", raising=False)
    monkeypatch.setattr(cache_places.config, "CACHE_DIR", "")
    monkeypatch.setattr(cache_places, "BESIDE", Path("/dev/null/site-packages"))
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert [hits(compiled()), hits(compiled())] == [0, 1]
    own = cache_places.own_directory()
    assert own is not None
    assert [*own.rglob("pooled_violators*")]
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null")
    assert [hits(compiled()), hits(compiled())] == [0, 0]


def test_a_place_that_others_may_write_to_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = cache_places.own_directory()
    assert place is not None
    place.chmod(0o770)
    assert cache_places.own_directory() is None
    place.rmdir()
    place.symlink_to(tmp_path)
    assert cache_places.own_directory() is None


def test_few_folders_of_other_sources_stay(place):
    for number in range(20):
        (place / f"{number}").mkdir(parents=True)
    compiled()
    assert len([*place.iterdir()]) == cache_places._OTHERS


def test_two_processes_that_fill_the_cache_at_once_both_find_their_code(place):
    code = (
        "import numpy as np; "
        "from infimum.compiled.descent.pooled_violators import pool_violators as pool; "
        "x = np.array([3.0, 1], dtype=np.{}); pool(x, np.ones(2)); "
        "print(x, sum(pool.stats.cache_hits.values()))"
    )
    for hit in (0, 1):
        both = [
            subprocess.Popen(
                [sys.executable, "-c", code.format(kind)],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                stdout=subprocess.PIPE,
                text=True,
            )
            for kind in ("float64", "float32")
        ]
        assert [each.communicate()[0] for each in both] == [f"[2. 2.] {hit}\n"] * 2
    assert len([*place.rglob("pooled_violators*")]) == 2


def test_the_user_is_told_once_that_the_installation_compiled_for_another_machine(
    place, monkeypatch, tmp_path, caplog
):
    monkeypatch.setattr(cache_places, "BESIDE", tmp_path)
    monkeypatch.setattr(disk_cache, "_told", [])
    formula()
    assert not caplog.records  # nobody promised anything
    (place / next(place.iterdir())).rename(tmp_path / "away")
    (tmp_path / "note.txt").write_text("No compiler was there.")
    for _ in range(2):
        loop()(pool_violators.py_func)(np.ones(2), np.ones(2))
    (told,) = caplog.records
    assert "infimum compile" in told.message
    assert "No compiler was there." in told.message
