"""A result.json that somebody has edited gives a page or one sentence, never a bug."""

import contextlib
import copy
import json

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.report import comparison, read_runs, render_comparison, write_report

#: What editors leave behind.
OTHERS = (None, "x", -1, 1e300, True, [], {}, [None], {"a": 1})


def places(plain, above=()):
    """Yield the way to every part of a result."""
    items = plain.items() if isinstance(plain, dict) else enumerate(plain)
    for key, part in items:
        yield (*above, key)
        if isinstance(part, dict | list):
            yield from places(part, (*above, key))


def edited(plain, way, rng):
    """Return a result of which one part is gone or another."""
    changed = copy.deepcopy(plain)
    part = changed
    for key in way[:-1]:
        part = part[key]
    if rng.random() < 0.4:
        del part[way[-1]]
    else:
        part[way[-1]] = OTHERS[rng.integers(len(OTHERS))]
    return changed


@pytest.fixture(scope="module")
def binary_result(results):
    return json.loads(json.dumps(results["binary"]))


@pytest.fixture
def run(tmp_path, binary_result):
    (tmp_path / "run").mkdir()
    (tmp_path / "same").mkdir()
    (tmp_path / "same" / "result.json").write_text(json.dumps(binary_result))

    def write(plain):
        (tmp_path / "run" / "result.json").write_text(json.dumps(plain))
        return tmp_path / "run"

    return write


def report(folder):
    write_report(folder)


def compare(folder):
    results = read_runs([folder, folder.parent / "same"])
    comparison(results)
    render_comparison(results)


def refusal(act, folder):
    """Return the sentence of whatever is refused, nothing if it is not."""
    sentence = ""
    with contextlib.suppress(DataError):
        try:
            act(folder)
        except DataError as error:
            sentence = str(error)
            raise
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("key", ["contenders", "choice", "data", "exam", "stages"])
def test_a_part_that_is_missing_is_told(run, binary_result, key):
    sentence = refusal(
        report, run({k: v for k, v in binary_result.items() if k != key})
    )
    assert "result.json was edited or damaged: " in sentence
    assert f"'{key}'" in sentence


def test_a_changed_part_gives_a_page_or_a_sentence(run, binary_result):
    rng = np.random.default_rng(5)
    ways = [*places(binary_result)]
    near = [way for way in ways if len(way) < 3]
    told = 0
    for group, count in ((near, 9), (ways, 5)):
        for chosen in rng.choice(len(group), count, replace=False):
            folder = run(edited(binary_result, group[chosen], rng))
            told += bool(refusal(report, folder))
            refusal(compare, folder)
    assert told > 1


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 5_000, "\x00", "NaN", "1"])
def test_what_is_no_result_at_all_is_told(run, text):
    folder = run({})
    (folder / "result.json").write_text(text)
    assert "result.json" in refusal(report, folder)
