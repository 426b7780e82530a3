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


#: For each kind of part, what is of another kind.
WRONG = {
    str: (7, None, ["a"], {"a": 1}, True),
    bool: ("yes", None, 1, []),
    int: ("7", 7.5, None, True, [7], 1e300),
    float: ("7", True, [7.0], {}),
    list: ("abc", 7, {}, None, [7], ["a", None]),
    dict: ("abc", 7, [], None, True),
}


def kinds_of(result):
    """Yield every part of the first and second level, with its kind."""
    above = [(), *((key,) for key, part in result.items() if isinstance(part, dict))]
    known = ("data", "choice", "exam", "proof")  # the others hold anything
    for way in [way for way in above if not way or way[0] in known]:
        part = result[way[0]] if way else result
        for key, value in part.items():
            yield (*way, key), type(value)


def test_a_part_of_another_kind_is_told_of_every_part(run, binary_result):
    optional = {"proof", "champion", "blend", "guess", "nested_score", "nested_spread"}
    tried = 0
    for way, kind in kinds_of(binary_result):
        for wrong in WRONG.get(kind, ()):
            if wrong is None and way[-1] in {*optional, "weights"}:
                continue
            changed = copy.deepcopy(binary_result)
            part = changed[way[0]] if len(way) > 1 else changed
            part[way[-1]] = wrong
            sentence = refusal(report, run(changed))
            assert "result.json" in sentence, (way, wrong)
            assert sentence.endswith("learn again."), sentence
            assert way[-1] in sentence, sentence
            tried += 1
    assert tried > 150


@pytest.mark.parametrize(
    ("key", "words"), [("task", "banana"), ("goal", "fruit"), ("ended", "never")]
)
def test_a_word_that_no_result_uses_is_told(run, binary_result, key, words):
    sentence = refusal(report, run({**binary_result, key: words}))
    assert f"{key} must be one of " in sentence
    assert sentence.endswith(f"not '{words}'; learn again.")


def test_a_task_that_is_a_number_is_told(run, binary_result):
    folder = run({**binary_result, "task": 7})
    assert refusal(report, folder).endswith("task must be a text, not 7; learn again.")
    assert not (folder / "report.html").exists()
    assert "task must be a text" in refusal(compare, folder)


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
