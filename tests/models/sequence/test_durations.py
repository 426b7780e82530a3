"""Stays of their own length: likelihoods by all segmentations, steps that rise."""

from itertools import product

import numpy as np
import pytest

import infimum
from infimum.distributions import Normal
from infimum.errors import DataError
from infimum.models.sequence import HiddenMarkovModel
from infimum.models.sequence.hidden_markov_model import chain_of_stays

START, ACROSS = np.array([0.7, 0.3]), np.array([[0.0, 1.0], [1.0, 0.0]])
STAYS = np.array([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3]])
STATES = np.repeat(np.arange(24) % 2, 5)
TABLE = 4.0 * STATES + np.random.default_rng(0).standard_normal(120)


def by_segments(logs):
    """Return the sum over all segmentations, the last of which may be cut short."""
    total, steps = 0.0, len(logs)
    for sizes in product(range(1, 4), repeat=steps):
        ends = np.cumsum(sizes)
        count = int(np.searchsorted(ends, steps)) + 1
        if any(size != 1 for size in sizes[count:]):
            continue  # the same segments, counted once
        for first in range(2):
            chance, at = START[first], 0
            for k, size in enumerate(sizes[:count]):
                state = (first + k) % 2
                inside = logs[at : at + size, state]
                chance *= STAYS[state, size - 1] * np.exp(inside.sum())
                at += size
            total += chance
    return np.log(total)


def test_the_likelihood_is_the_sum_over_all_segmentations():
    chain = chain_of_stays(START, ACROSS, STAYS)
    for seed in range(5):
        logs = np.random.default_rng(seed).standard_normal((5, 2))
        found = chain.log_partition(np.repeat(logs, 3, axis=1))[0]
        assert found == pytest.approx(by_segments(logs), rel=1e-12)


def test_the_likelihood_never_falls_and_stays_are_found():
    parts = [TABLE[:60], TABLE[60:]]
    model = HiddenMarkovModel(2, random_state=0, n_iter=40, tol=0.0, max_duration=8)
    history = np.array(model.fit(parts).monitor_.history)
    assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()
    assert (model.durations_.argmax(axis=1) == 4).all()
    assert model.durations_[:, 4].min() > 0.95
    assert np.allclose(np.diag(model.transmat_), 0.0)
    said = np.concatenate(model.predict(parts))
    assert max(np.mean(said == STATES), np.mean(said != STATES)) > 0.99
    assert model.predict_proba(parts)[0].shape == (60, 2)
    plain = HiddenMarkovModel(2, random_state=0, n_iter=40).fit(parts)
    assert model.bic(parts) < plain.bic(parts)


def test_a_longest_stay_of_one_step_leaves_at_once():
    model = HiddenMarkovModel(2, init_params="", max_duration=1)
    model.startprob_, model.transmat_, model.n_features = START, ACROSS, 1
    model.emissions_, model.durations_ = [Normal(0, 1), Normal(4, 1)], np.ones((2, 1))
    assert model.predict([np.array([0.0, 4.0, 1.9, 4.0])])[0].tolist() == [0, 1, 0, 1]


def test_weights_are_repetitions_known_states_bind_and_draws_follow(tmp_path):
    parts = [TABLE[:60], TABLE[60:100]]
    settings = {"random_state": 0, "n_iter": 3, "tol": 0.0, "max_duration": 7}
    start = HiddenMarkovModel(2, **settings).fit(parts)
    models = [HiddenMarkovModel(2, init_params="", **settings) for _ in range(2)]
    for model in models:
        kept = {k: v for k, v in vars(start).items() if k.endswith("_")}
        vars(model).update(kept, n_features=1)
    models[0].fit(parts, sample_weight=[2, 1])
    models[1].fit([parts[0], *parts])
    np.testing.assert_allclose(models[0].durations_, models[1].durations_, atol=1e-10)
    known = HiddenMarkovModel(2, **settings).fit(parts, [STATES[:60], STATES[60:100]])
    assert known.durations_[0, 4] == pytest.approx(1.0, abs=1e-6)
    X, states = known.sample(500, random_state=1)
    assert X.shape == (500, 1)
    stays = np.diff(np.flatnonzero(np.diff(states)))
    assert (stays == 5).mean() > 0.9
    infimum.save(known, tmp_path / "m.infimum")
    again = infimum.load(tmp_path / "m.infimum")
    assert again.score(parts) == known.score(parts)


def test_wrong_durations_get_one_sentence():
    model = HiddenMarkovModel(2, max_duration=3, random_state=0).fit([TABLE])
    model.durations_ = np.ones((2, 3))
    with pytest.raises(DataError, match="durations_ must be chances"):
        model.predict([TABLE])
    with pytest.raises(ValueError, match="max_duration"):
        HiddenMarkovModel(2, max_duration=0).fit([TABLE])
