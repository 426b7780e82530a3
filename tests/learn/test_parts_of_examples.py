"""The parts of the examples: what one cannot tell does not silence the others."""

from types import SimpleNamespace

import pytest

from infimum.errors import DataError
from infimum.learn.evidence import answers
from infimum.learn.evidence.case import TooLateError


@pytest.mark.parametrize(
    "error, words",
    [
        (ValueError("shapes differ"), "could not be computed: ValueError: shapes"),
        (DataError("Nothing to share out."), "Nothing to share out."),
        (TooLateError(), "no time left"),
    ],
    ids=["a mistake", "a refusal", "no time"],
)
def test_a_part_that_fails_says_so_and_leaves_the_others(error, words, monkeypatch):
    def fails(case, found):
        raise error

    monkeypatch.setattr(answers, "_shapley", fails)
    monkeypatch.setattr(answers, "_near", lambda *_: {"rows": [1]})
    monkeypatch.setattr(answers, "_turned", lambda *_: {"row": 2})
    case = SimpleNamespace(affordable=lambda *_: 1, n_rows=1)
    told = answers.examples(case, {})
    assert words in told["shapley"]["reason"]
    assert (told["near"], told["counterfactual"]) == ({"rows": [1]}, {"row": 2})
