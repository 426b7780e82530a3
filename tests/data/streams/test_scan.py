"""Scans: rows of files in passes, an encoded copy, and sums with the same bits."""

import os
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.data.streams import LocalRunner, Node, Tree, runner
from infimum.errors import DataError, StreamError


def table(rng, n=5000):
    X = rng.normal(size=(n, 2))
    words = rng.choice(["u", "v", "w"], n)
    return pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": words, "y": X[:, 0] > 0})


def sums(leaf):
    return leaf.X.sum(axis=0), float(leaf.y @ leaf.y), float(leaf.w.sum())


def test_a_folder_is_read_as_one_table(tmp_path):
    frames = [table(np.random.default_rng(k), 3000 + k) for k in range(3)]
    for k, frame in enumerate(frames):
        frame.write_csv(tmp_path / f"part{k}.csv")
    rows = infimum.scan(tmp_path, target="y")
    whole = pl.concat(frames)
    assert rows.n_rows == len(whole)
    assert rows.feature_names == ["a", "b", "c=u", "c=v", "c=w"]
    found, _, total = rows.run(sums)
    assert total == len(whole)
    np.testing.assert_allclose(found[:2], whole.select("a", "b").sum().row(0))
    counts = [int((whole["c"] == word).sum()) for word in "uvw"]
    assert found[2:].tolist() == counts
    means, _ = rows.statistics.moments()
    np.testing.assert_allclose(means, found / total, atol=1e-14)


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_every_format_gives_the_same_rows(tmp_path, ending):
    frame = table(np.random.default_rng(0))
    writers = {"csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc"}
    getattr(frame, writers[ending])(tmp_path / f"x.{ending}")
    rows = infimum.scan(tmp_path / f"x.{ending}", target="y")
    read = np.concatenate([leaf.X[:, :2].copy() for leaf in rows.leaves()])
    np.testing.assert_array_equal(read, frame.select("a", "b").to_numpy())


@pytest.mark.parametrize("turn", [0, 1, 3, 6])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_cutting_into_blocks_gives_the_same_bits(tmp_path, turn, threads):
    table(np.random.default_rng(0), 200_000).write_parquet(tmp_path / "x.parquet")
    rows = infimum.scan(tmp_path / "x.parquet", target="y")
    assert rows.spool.leaves > 12
    first = rows.run(sums)
    with runner(LocalRunner(threads, turn)):
        again = rows.run(sums)
    assert [np.array_equal(a, b) for a, b in zip(first, again, strict=True)] == [
        True
    ] * 3


def test_files_cut_elsewhere_give_the_same_bits(tmp_path):
    frame = table(np.random.default_rng(0), 30_000)
    for name, cuts in (("one", [30_000]), ("three", [7, 12_345, 17_648])):
        (tmp_path / name).mkdir()
        start = 0
        for k, count in enumerate(cuts):
            part = frame.slice(start, count)
            part.write_csv(tmp_path / name / f"{k}.csv")
            start += count
    found = [infimum.scan(tmp_path / n, target="y").run(sums) for n in ("one", "three")]
    assert np.array_equal(found[0][0], found[1][0])


def test_a_tree_of_parts_is_the_tree_of_the_whole():
    rng = np.random.default_rng(0)
    values = rng.normal(size=100)
    whole = Tree()
    whole.extend(Node(k, 0, (x,)) for k, x in enumerate(values.tolist()))
    for _ in range(30):
        cuts = sorted({0, 100, *rng.integers(0, 100, 5).tolist()})
        joined = Tree()
        for start, stop in pairwise(cuts):
            part = Tree()
            part.extend(Node(k, 0, (float(values[k]),)) for k in range(start, stop))
            joined.extend(part.nodes)
        assert joined.root() == whole.root()


def test_a_kind_guessed_early_and_false_late_is_mended(tmp_path):
    lines = ["a,y", *(f"{k},{k % 2}" for k in range(60_000)), "far,1"]
    (tmp_path / "x.csv").write_text("\n".join(lines[:900] + lines[-1:]) + "\n")
    rows = infimum.scan(tmp_path / "x.csv", target="y")
    assert rows.n_rows == 900
    assert "a=far" in rows.feature_names


def test_quotes_may_hold_line_ends(tmp_path):
    body = "".join(f'"two\nlines, {k % 3}",{k}\n' for k in range(3000))
    (tmp_path / "x.csv").write_text("a,b\n" + body)
    rows = infimum.scan(tmp_path / "x.csv", target="b")
    assert (rows.n_rows, rows.n_features) == (3000, 3)


def test_svmlight_may_grow_wider(tmp_path):
    lines = [f"{k % 2} 1:{k + 1}" for k in range(40_000)] + ["1 2:3 90:1.5"]
    (tmp_path / "x.svm").write_text("\n".join(lines) + "\n")
    rows = infimum.scan(tmp_path / "x.svm")
    found, _, _ = rows.run(sums)
    assert rows.n_features == 90
    assert (found[1], found[89]) == (3.0, 1.5)


def test_a_word_soon_after_the_first_thousand_rows_makes_words(tmp_path):
    lines = ["1,0", "2,1"] * 3000 + ["oops,1"]
    (tmp_path / "x.csv").write_text("\n".join(["x,y", *lines]) + "\n")
    rows = infimum.scan(tmp_path / "x.csv", target="y")
    assert rows.feature_names == ["x=1", "x=2", "x=oops"]
    assert rows.n_rows == 6001


def test_the_copy_goes_with_the_scan(tmp_path):
    table(np.random.default_rng(0), 100).write_csv(tmp_path / "x.csv")
    rows = infimum.scan(tmp_path / "x.csv", target="y", spool=tmp_path)
    folder = rows.spool.folder
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o077 == 0
    del rows
    assert not folder.exists()


def test_a_damaged_copy_is_noticed(tmp_path):
    table(np.random.default_rng(0), 100).write_csv(tmp_path / "x.csv")
    rows = infimum.scan(tmp_path / "x.csv", target="y")
    with (rows.spool.folder / "x").open("r+b") as stream:
        stream.write(b"\x01")
    with pytest.raises(StreamError, match="not as they were written"):
        rows.run(sums)
    os.truncate(rows.spool.folder / "x", 8)
    with pytest.raises(StreamError, match="cut short"):
        rows.run(sums)


def test_a_file_that_changes_between_passes_is_noticed(tmp_path):
    path = tmp_path / "x.csv"
    table(np.random.default_rng(0), 100).write_csv(path)
    rows = infimum.scan(path, target="y")
    rows.run(sums)
    with path.open("a") as stream:
        stream.write("0,0,u,true\n")
    with pytest.raises(DataError, match="has changed since it was scanned"):
        rows.run(sums)
