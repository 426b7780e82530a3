"""Bounds of a risk hold as often as they say, and say when they say nothing."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import (
    bernstein_guarantee,
    betting_guarantee,
    binomial_guarantee,
    clopper_pearson,
    hoeffding_guarantee,
    loss_guarantee,
    plot_guarantees,
)


@given(
    n=st.integers(1, 60),
    rate=st.floats(0.001, 0.999),
    comparisons=st.integers(1, 10),
    confidence=st.sampled_from([0.8, 0.95, 0.99]),
)
def test_the_binomial_bound_holds_for_every_rate_by_enumeration(
    n, rate, comparisons, confidence
):
    counts = np.arange(n + 1)
    bounds = np.array(
        [
            binomial_guarantee(int(k), n, confidence, comparisons=comparisons).bound
            for k in counts
        ]
    )
    missed = binom.pmf(counts, n, rate)[bounds < rate].sum()
    # Each of the models may fail with its share of the risk, so all together keep it.
    assert comparisons * missed <= 1 - confidence + 1e-9


def test_one_model_gets_the_one_sided_end_of_the_exact_interval():
    assert binomial_guarantee(7, 90).bound == clopper_pearson(7, 90).upper


@pytest.mark.parametrize(
    "bound", [hoeffding_guarantee, bernstein_guarantee, betting_guarantee]
)
@pytest.mark.parametrize("shape", [(0.5, 0.5), (1.0, 30.0), (8.0, 2.0)])
def test_bounds_of_bounded_losses_hold_as_often_as_they_say(bound, shape, rng):
    true = beta.mean(*shape)
    draws = rng.beta(*shape, size=(400, 80))
    held = [bound(losses, 0.9).bound >= true for losses in draws]
    assert np.mean(held) >= 0.9


def test_the_variance_pays_when_most_losses_are_small(rng):
    small = rng.beta(1.0, 200.0, 3000)
    assert bernstein_guarantee(small).bound < hoeffding_guarantee(small).bound
    wild = rng.integers(0, 2, 50) * 0.999
    assert hoeffding_guarantee(wild).bound < bernstein_guarantee(wild).bound


@given(scale=st.floats(0.1, 50.0), shift=st.floats(-20.0, 20.0))
def test_bounds_move_with_the_unit_of_the_loss(scale, shift):
    losses = np.random.default_rng(3).uniform(size=60)
    for bound in (hoeffding_guarantee, bernstein_guarantee):
        plain = bound(losses).slack
        moved = bound(
            np.clip(scale * losses + shift, shift, scale + shift),
            low=shift,
            high=scale + shift,
        ).slack
        assert moved == pytest.approx(scale * plain, rel=1e-6)


def test_the_best_inequality_is_chosen(rng):
    losses = rng.uniform(0.0, 0.1, 500)
    chosen = loss_guarantee(losses, comparisons=3)
    assert chosen.comparisons == 3
    assert chosen == betting_guarantee(losses, comparisons=3)
    assert chosen.bound < bernstein_guarantee(losses, comparisons=3).bound
    assert loss_guarantee([0, 1, 1, 0]).method == "Clopper-Pearson"
    assert loss_guarantee([0.3]).vacuous


def test_more_models_and_more_confidence_cost_more():
    losses = np.linspace(0, 1, 100)
    bounds = [loss_guarantee(losses, 0.9, comparisons=m).bound for m in (1, 5, 50)]
    assert bounds[0] < bounds[1] < bounds[2] < loss_guarantee(losses, 0.999999).bound


def test_the_sentence_names_what_a_reader_needs_to_know():
    sentence = binomial_guarantee(51, 476, comparisons=12).sentence
    for part in ("476 unseen rows", "an error rate", "10.7 %", "95 %", "12 models"):
        assert part in sentence
    empty = hoeffding_guarantee([0.5, 0.6])
    assert empty.vacuous
    assert "vacuous" in empty.sentence


def test_a_guarantee_becomes_plain_data():
    plain = json.loads(json.dumps(binomial_guarantee(1, 10).to_dict()))
    assert plain["n"] == 10
    assert plain["vacuous"] is False
    assert plain["sentence"].startswith("10 unseen rows")


def test_the_picture_shows_estimate_and_reach():
    made = [binomial_guarantee(5, 100), hoeffding_guarantee(np.linspace(0, 1, 50))]
    (dots,) = plot_guarantees(made).data
    np.testing.assert_allclose(dots.x, [0.05, 0.5])
    assert dots.error_x.array[0] == pytest.approx(made[0].slack)


def test_losses_outside_their_range_are_refused():
    with pytest.raises(DataError, match=r"outside \[0, 1\]; clip them"):
        hoeffding_guarantee([0.2, 1.7])
    with pytest.raises(DataError, match="one loss a row"):
        loss_guarantee([])
    with pytest.raises(DataError, match="finite"):
        loss_guarantee([np.nan])
    with pytest.raises(DataError, match="at least 2"):
        bernstein_guarantee([0.5])
    with pytest.raises(InvalidParameterError, match="comparisons"):
        binomial_guarantee(1, 10, comparisons=0)
