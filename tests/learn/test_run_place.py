"""Where a run is written: links stay links, no run meets another or replaces one."""

import subprocess
import sys
from pathlib import Path

import pytest

import infimum
from infimum.errors import DataError
from infimum.learn.run_directory import claimed, recover, write_run


@pytest.fixture
def out(tmp_path):
    return tmp_path / "run"


@pytest.fixture
def finished(learned, out):
    write_run(learned, out, None)
    return out


def place_of(out, *, resume=False, force=False):
    with claimed(out, resume=resume, force=force) as place:
        return place


def test_a_link_stays_a_link_to_the_new_run(learned, tmp_path):
    (tmp_path / "disk").mkdir()
    for target in ("old", "gone"):
        link = tmp_path / f"to-{target}"
        link.symlink_to(Path("disk") / target)
        if target == "old":
            write_run(learned, tmp_path / "disk" / "old", lambda _: "page")
        with claimed(link, resume=False, force=True) as place:
            write_run(learned, place, None)
        assert link.is_symlink()
        assert {each.name for each in (tmp_path / "disk" / target).iterdir()} == {
            "model.infimum",
            "result.json",
        }
    assert {each.name for each in (tmp_path / "disk").iterdir()} == {"old", "gone"}


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(DataError, match=r"choose another --out\.$"):
        place_of(tmp_path / "a")


def test_a_second_run_in_the_same_directory_is_refused(out, binary_table):
    with (
        claimed(out, resume=False, force=False),
        pytest.raises(DataError, match="Another run is writing to") as caught,
    ):
        infimum.learn(binary_table, "verdict", out=out)
    assert "\n" not in str(caught.value)
    assert place_of(out) == out
    assert not [*out.parent.iterdir()]


def test_a_run_of_another_process_is_seen_until_it_is_killed(out):
    code = (
        "import sys; from pathlib import Path\n"
        "from infimum.learn.run_directory import *\n"
        "with claimed(Path(sys.argv[1]), resume=False, force=False):\n"
        "    print('here', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(out)],
        env={"PYTHONPATH": ":".join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout.readline() == b"here\n"
        with pytest.raises(DataError, match="Another run"):
            place_of(out)
        other.kill()
    assert place_of(out) == out


def test_a_finished_run_is_replaced_by_force_only(finished):
    second = finished.with_name("run-2")
    assert place_of(finished) == second
    assert place_of(finished, force=True) == finished
    second.mkdir()
    (second / "journal").mkdir()  # begun, and without a result
    assert place_of(finished) == second


def test_a_finished_run_is_kept_by_the_next_one(finished, learned):
    before = (finished / "result.json").read_bytes()
    for number in (2, 3):
        with claimed(finished, resume=False, force=False) as place:
            assert write_run(learned, place, None).out.name == f"run-{number}"
    assert (finished / "result.json").read_bytes() == before


def test_what_was_cut_short_is_found_beside_a_finished_run(finished):
    with pytest.raises(DataError, match="holds a finished run"):
        place_of(finished, resume=True)
    third = finished.with_name("run-3")
    for made in (finished.with_name("run-2"), third):
        made.mkdir()
        (made / "journal").mkdir()
    assert place_of(finished, resume=True) == third


def test_a_killed_run_that_had_nothing_to_keep_starts_over_where_it_was(finished):
    second = finished.with_name("run-2")
    (finished.parent / ".run-2.lock").touch()  # as SIGKILL leaves it
    assert place_of(finished, resume=True) == second
    (finished.parent / ".run.lock").touch()
    with pytest.raises(DataError, match="holds a finished run"):
        place_of(finished, resume=True)
    assert place_of(finished, resume=True, force=True) == finished


def test_the_directory_one_stands_in_can_be_named_by_a_dot(finished, monkeypatch):
    monkeypatch.chdir(finished)
    assert place_of(Path()) == finished.with_name("run-2")


def test_drafts_of_a_run_of_a_longer_name_are_not_touched(out):
    theirs = out.parent / ".run.v2.0123abcd.part"
    ours = out.parent / ".run.0123abcd.part"
    for draft in (theirs, ours):
        draft.mkdir()
    recover(out)
    assert [*out.parent.iterdir()] == [theirs]


def test_places_that_cannot_hold_a_run_are_refused_before_the_work(tmp_path):
    for bad in (Path("/proc"), tmp_path / ("n" * 250), tmp_path / ("n" * 300)):
        with pytest.raises(DataError, match=r"\.$") as caught:
            place_of(bad)
        assert "\n" not in str(caught.value)
