"""Sentences about more rows, earlier moments, columns and the use of a model."""

import re

import numpy as np
import pytest

from infimum.report.more_rows import curve_words, cutoff_words
from infimum.report.sentences import answer, titles
from infimum.report.tiles import tiles
from infimum.report.treated import treated
from infimum.report.use import use_words


def with_evidence(**evidence):
    return {"data": {"train_rows": 800}, "evidence": evidence}


@pytest.mark.parametrize("gain", np.linspace(-0.02, 0.02, 9))
def test_the_title_of_a_learning_curve_agrees_with_its_numbers(gain):
    told = {
        "points": [{}], "score": "AUC", "greater_is_better": True, "from_rows": 400,
        "gain": gain, "error": 0.004,
    }  # fmt: skip
    said = curve_words(with_evidence(learning_curve=told))
    assert ("probably help" in said["title"]) == (gain > 0.008)
    assert ("did not help" in said["title"]) == (gain < -0.008)
    assert ("worsened" in said["words"]) == (gain < 0)


def moments(*shares):
    rows = [{"after": "2024", "rows": 50, "estimate": each} for each in shares]
    return {
        "kind": "intervals", "promised": 0.9, "rows": rows,
        "least": min(shares), "most": max(shares),
    }  # fmt: skip


def test_earlier_moments_are_counted_and_their_range_is_told():
    said = cutoff_words(with_evidence(cutoffs=moments(0.68, 0.9, 0.93)))
    title = said["title"].replace("\u00a0", " ")
    assert (
        title == "At 3 earlier moments, 90 % intervals held 68 % to 93 % of what came"
    )
    one = cutoff_words(with_evidence(cutoffs=moments(0.8)))["title"]
    assert one.startswith("At an earlier moment")
    assert cutoff_words(with_evidence()) is None
    assert cutoff_words(with_evidence(cutoffs={"reason": "Why."}))["words"] == "Why."


@pytest.mark.parametrize("least", [0.68, 0.95])
def test_bounds_along_time_say_what_they_do_not_cover(results, least):
    told = {**results["regression"], "options": {"time": "day"}}
    told["evidence"] = {**told["evidence"], "cutoffs": moments(least, 0.97)}
    (said,) = [each for each in answer(told) if "not cover what changes" in each]
    assert ("68" in said) == (least < 0.9)
    grouped = {**results["regression"], "options": {"group": "shop"}}
    assert any("“shop” are not" in each for each in answer(grouped))
    assert not any("bounds" in each for each in answer(results["regression"]))


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression", "counts"])
def test_four_numbers_stand_in_front_and_a_proof_only_if_there_is_one(results, task):
    plain = results[task]
    shown = tiles(plain)
    assert len(shown) == 4
    assert all(each["value"] not in ("", "–") for each in shown)
    noted = [each for each in shown if "proved" in each["note"].lower()]
    assert bool(noted) == (plain["proof"] is not None)
    assert len(tiles({**plain, "proof": None})) == 4


def test_a_winner_that_cannot_be_read_has_one_that_can_beside_it(results):
    plain = results["binary"]
    told = {"label": "Logistic lasso", "size": "3 features", "score": 0.8123}
    told |= {"spread": 0.01, "cost": 0.02, "cost_spread": 0.01, "is_winner": False}
    unread = {**plain, "coefficients": [], "champion": told}
    last = tiles(unread)[-1]
    assert last["value"] == "0.812"
    assert last["name"].endswith("of a model that can be read")
    assert last["note"].startswith("Logistic lasso, 3 features, winner 0.")
    for other in ({**told, "is_winner": True}, {**told, "cost": None}):
        assert "read" not in tiles({**unread, "champion": other})[-1]["name"]


def test_commands_name_only_columns_that_there_are(results):
    plain = results["binary"]
    assert "--keep" not in use_words(plain)["commands"]
    column = {"name": "number of row", "kind": "identifier", "used": False}
    data = {**plain["data"], "columns": [*plain["data"]["columns"], column]}
    commands = use_words({**plain, "data": data})["commands"]
    assert "--keep 'number of row'" in commands


def test_what_was_done_to_a_column_stands_beside_it(results):
    from infimum.report import render

    plain = results["regression"]
    words = treated(plain)["numeric"]
    assert words in render(plain)
    blend = {"members": [{"name": "forest"}, {"name": "ridge"}]}
    both = treated({"choice": {"name": "blend"}, "blend": blend})
    assert "for trees as it is" in both["numeric"]


def test_a_page_is_read_in_two_thousand_words(results):
    """Count what stands open on the page: no folded parts, tables or figures."""
    from infimum.report import render

    text = render(results["binary"])
    for part in ("script", "style", "details", "table", "nav", "figure", "pre"):
        text = re.sub(rf"<{part}\b.*?</{part}>", " ", text, flags=re.S)
    words = re.sub(r"<[^>]+>", " ", text).split()
    assert 300 < len(words) <= 2000


@pytest.mark.parametrize("place", [0, -1])
def test_a_winner_at_the_edge_of_what_was_tried_is_said_to_be_there(results, place):
    plain = results["regression"]
    own = next(
        each for each in plain["contenders"] if each["name"] == plain["choice"]["name"]
    )
    choice = {
        **plain["choice"], "value": own["values"][place],
        "score": plain["choice"]["best_score"],
    }  # fmt: skip
    said = titles({**plain, "choice": choice})["path"]
    assert ("last setting that was tried" in said) == (place == -1)
