"""A model is taken only if it beats the constant answer by more than luck."""

import numpy as np
import pytest

from infimum.evaluation.leads import leads_of
from infimum.evaluation.scoring import Predictions, criterion_for
from infimum.learn.choose.rule import choose, standings
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.models.linear import LogisticRegression

NOBODY = np.array([])


def scores(said, classes=NOBODY):
    verdicts = said if not len(classes) else classes[(said > 0).astype(int)]
    return Predictions(verdicts, said[:, None], None)


def drawn_leads(classes, goal="", signal=0.0, rows=60, times=400):
    """Return the leads of predictions that are noise but for a share of `signal`."""
    draw = np.random.default_rng(0)
    criterion = criterion_for(classes, goal, 0.5 if goal == "quantile" else None)
    found = []
    for _ in range(times):
        noise = draw.normal(size=(2, rows))
        y = noise[0] if not len(classes) else classes[(noise[0] > 0).astype(int)]
        said = signal * noise[0] + 0.3 * noise[1]
        found += leads_of([scores(said, classes)], y, y, classes, criterion)
    return np.array(found)


@pytest.mark.parametrize("classes", [NOBODY, np.arange(2)])
def test_noise_passes_the_level_no_more_often_than_the_level_says(classes):
    leads = drawn_leads(classes)
    # A level of 0.05 in 400 draws: more than 0.085 is three standard errors off.
    assert np.mean(leads > 1.645) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


@pytest.mark.parametrize(("classes", "goal"), [(NOBODY, ""), (NOBODY, "quantile"),
                                                (np.arange(2), "")])  # fmt: skip
def test_a_signal_is_seen(classes, goal):
    assert np.mean(drawn_leads(classes, goal, signal=0.5) > 3) > 0.95


def test_the_lead_of_an_area_is_that_of_mann_and_whitney():
    y, said = np.array([0, 0, 1, 1]), scores(np.array([1.0, 2.0, 3.0, 4.0]))
    lead = leads_of([said], y, y, np.arange(2), criterion_for(np.arange(2)))
    # All pairs in order: 0.5 above the mean, standard deviation sqrt(5 / 48).
    assert lead == pytest.approx([0.5 / np.sqrt(5 / 48)])


def test_equal_weights_change_no_lead_and_several_labels_have_none():
    y = np.random.default_rng(1).normal(size=50)
    said, criterion = [scores(0.5 * y + 0.1)], criterion_for(NOBODY)
    plain = leads_of(said, y, y, NOBODY, criterion)
    same = leads_of(said, y, y, NOBODY, criterion, np.full(50, 3.0))
    assert same == pytest.approx(plain)
    assert leads_of(said, np.zeros((50, 2)), y, NOBODY, criterion) is None


def raced(*leads, error=0.2):
    """Return what a constant and one model did on folds with these leads."""
    constant = Tally(Contender("baseline", "Constant", LogisticRegression, rank=0), "C")
    model = Tally(Contender("model", "Model", LogisticRegression), "C")
    for place, lead in enumerate(leads):
        each = ((constant, 0.5, 0.0), (model, error + 0.01 * place, lead))
        for tally, wrong, told in each:
            shown = FoldResult(
                "C", (1.0,), [wrong], [3.0], [{"auc": 1 - wrong}], leads=[told]
            )
            tally.record(0, shown)
    return choose(standings([constant, model]), criterion_for(np.arange(2)))[0].name


@pytest.mark.parametrize(
    ("leads", "taken"),
    [
        ((1.0,), "baseline"),
        ((4.0,), "model"),
        ((1.0, 1.0), "baseline"),
        ((1.3, 1.3), "model"),  # together 1.84, beyond the level of one in twenty
        ((0.5, 0.5, 0.5, 0.5, 0.5), "baseline"),
        ((0.9, 0.9, 0.9, 0.9, 0.9), "model"),
        ((np.nan, np.nan), "model"),  # nothing is known of the rows
    ],
)
def test_a_model_is_taken_if_its_leads_together_are_beyond_luck(leads, taken):
    assert raced(*leads) == taken


def test_leads_do_not_help_where_the_folds_gain_nothing():
    assert raced(9.0, 9.0, error=0.5) == "baseline"
