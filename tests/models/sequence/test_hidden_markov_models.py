"""Hidden Markov models: likelihoods by all paths, steps that rise, holes, weights."""

import warnings
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

import infimum
from infimum.distributions import Exponential, MultivariateNormal, Normal, Poisson
from infimum.errors import DataError, InvalidParameterError
from infimum.models.sequence import (
    GMMHMM,
    CategoricalHMM,
    GaussianHMM,
    HiddenMarkovModel,
    MultinomialHMM,
    PoissonHMM,
)

RNG = np.random.default_rng(0)
STATES = np.repeat([0, 1, 0, 1], 12)
TABLE = 3.0 * STATES[:, None] + RNG.standard_normal((48, 2))
COUNTS = RNG.poisson(3 + 6 * STATES)[:, None].astype(float)
SYMBOLS = np.where(RNG.random(48) < 0.8, STATES, 2)[:, None].astype(float)
CASES = {
    "diag": (GaussianHMM(2), TABLE),
    "spherical": (GaussianHMM(2, "spherical"), TABLE),
    "full": (GaussianHMM(2, "full"), TABLE),
    "tied": (GaussianHMM(2, "tied"), TABLE),
    "poisson": (PoissonHMM(2), COUNTS),
    "categorical": (CategoricalHMM(2), SYMBOLS),
    "multinomial": (MultinomialHMM(2), np.column_stack([COUNTS, 9 - STATES])),
    "mixture": (GMMHMM(2, n_mix=2), TABLE),
    "full mixture": (GMMHMM(2, n_mix=2, covariance_type="full"), TABLE),
    "tied mixture": (GMMHMM(2, n_mix=2, covariance_type="tied"), TABLE),
    "round mixture": (GMMHMM(2, n_mix=2, covariance_type="spherical"), TABLE),
    "normal": (HiddenMarkovModel(2), TABLE[:, :1]),
    "exponential": (HiddenMarkovModel(2, Exponential()), 0.1 + COUNTS),
    "vectors": (
        HiddenMarkovModel(2, MultivariateNormal((0, 0), ((1, 0), (0, 1)))),
        TABLE,
    ),
}
FLAT = {"covars_prior": 0.0, "min_covar": 0.0}


@pytest.fixture(params=CASES, name="case")
def some_case(request):
    model, X = CASES[request.param]
    made = clone(model).set_params(random_state=0, n_iter=25, tol=0.0)
    flat = {k: v for k, v in FLAT.items() if k in made.get_params()}
    return made.set_params(**flat), [X[:20], X[20:27], X[27:]]


def test_the_likelihood_is_the_sum_over_all_paths(case):
    model, parts = case
    X = model.fit(parts) and parts[1][:5]
    logs = model._log_emissions(X)
    total, best = 0.0, (-np.inf, None)
    for path in product(range(2), repeat=5):
        chance = model.startprob_[path[0]] * np.exp(logs[range(5), path].sum())
        for a, b in pairwise(path):
            chance *= model.transmat_[a, b]
        total += chance
        best = max(best, (chance, path))
    assert model.score([X]) == pytest.approx(np.log(total), rel=1e-10)
    found, states = model.decode([X])
    assert tuple(states[0]) == best[1]
    assert found == pytest.approx(np.log(best[0]), rel=1e-10)


def test_the_likelihood_never_falls(case):
    model, parts = case
    history = np.array(model.fit(parts).monitor_.history)
    assert len(history) > 1
    assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()
    assert np.isfinite(history).all()


def test_a_weight_is_a_repetition_and_0_leaves_a_sequence_out(case):
    model, parts = case
    start = clone(model).set_params(n_iter=1).fit(parts)
    one, other = (_continued(start) for _ in range(2))
    one.fit([parts[0], parts[1], parts[2]], sample_weight=[2, 0, 1])
    other.fit([parts[0], parts[0], parts[2]])
    np.testing.assert_allclose(one.transmat_, other.transmat_, rtol=1e-9, atol=1e-12)
    assert one.score(parts) == pytest.approx(other.score(parts), rel=1e-9)
    np.testing.assert_allclose(
        one.monitor_.history, other.monitor_.history[: one.monitor_.iter], rtol=1e-9
    )


def _continued(start):
    model = clone(start).set_params(init_params="", n_iter=3, tol=0.0)
    fitted = {k: v for k, v in vars(start).items() if k.endswith("_")}
    vars(model).update(fitted, n_features=start.n_features)
    return model


def test_known_states_are_kept_and_leave_counts(case):
    model, parts = case
    known = [STATES[:20], STATES[20:27], STATES[27:]]
    model.fit(parts, known)
    moves = sum((k[:-1] == 0).sum() for k in known)
    stays = sum(((k[:-1] == 0) & (k[1:] == 0)).sum() for k in known)
    assert model.transmat_[0, 0] == pytest.approx(stays / moves)
    assert model.startprob_[0] == pytest.approx(np.mean([k[0] == 0 for k in known]))
    nothing = [np.full(len(k), -1) for k in known]
    free = clone(model).fit(parts).score(parts)
    assert clone(model).fit(parts, nothing).score(parts) == pytest.approx(free)


def test_what_nobody_saw_says_nothing(case):
    model, parts = case
    model.fit(parts)
    holes = parts[0].copy()
    holes[3] = np.nan
    logs = model._log_emissions(holes)
    assert not logs[3].any()
    assert np.isfinite(clone(model).fit([holes, *parts[1:]]).score(parts))


@pytest.mark.parametrize("kind", ["diag", "spherical", "full", "tied"])
def test_a_hole_in_a_row_leaves_the_marginal_law(kind):
    model = GaussianHMM(2, kind, random_state=0).fit([TABLE])
    row = np.array([[np.nan, 1.0]])
    for k in range(2):
        law = multivariate_normal(model.means_[k, 1], model.covars_[k][1, 1])
        assert model._log_emissions(row)[0, k] == pytest.approx(law.logpdf(1.0))
    holes = TABLE.copy()
    holes[::5, 0], holes[2::7, 1] = np.nan, np.nan
    fit = GaussianHMM(2, kind, covars_prior=0.0, random_state=0, n_iter=30, tol=0.0)
    history = np.array(fit.fit([holes]).monitor_.history)
    assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()


def test_models_return_from_files(case, tmp_path):
    model, parts = case
    infimum.save(model.fit(parts), tmp_path / "m.infimum")
    again = infimum.load(tmp_path / "m.infimum")
    assert again.score(parts) == model.score(parts)
    assert again.monitor_.history == model.monitor_.history


def test_tables_with_lengths_and_lists_and_generators_agree(case):
    model, parts = case
    one = clone(model).fit(parts)
    joined, lengths = np.concatenate(parts), [len(p) for p in parts]
    other = clone(model).fit(joined, lengths=lengths)
    assert one.score(parts) == other.score(joined, lengths=lengths)
    assert one.score(iter(parts)) == one.score(parts)
    split = np.concatenate(one.predict(parts))
    assert np.array_equal(split, other.predict(joined, lengths))
    assert one.predict_proba(joined, lengths).sum(axis=1) == pytest.approx(1.0)


def test_searches_over_lists_of_sequences_work_unchanged():
    parts = [TABLE[a : a + 8] for a in range(0, 48, 8)]
    search = GridSearchCV(
        GaussianHMM(random_state=0), {"n_components": [1, 2]}, cv=KFold(3)
    ).fit(parts)
    assert search.best_params_ == {"n_components": 2}
    scores = cross_val_score(GaussianHMM(random_state=0), parts, cv=KFold(3))
    assert np.isfinite(scores).all()


def test_a_state_without_work_is_named_and_nothing_is_nan():
    model = CategoricalHMM(2, init_params="", n_iter=3)
    model.startprob_, model.transmat_ = np.array([1.0, 0.0]), np.eye(2)
    model.emissionprob_ = np.full((2, 3), 1 / 3)
    with pytest.warns(ConvergenceWarning, match="state 1 explains nothing"):
        model.fit([SYMBOLS])
    assert np.isfinite(model.emissionprob_).all()
    np.testing.assert_allclose(model.transmat_, np.eye(2))


def test_forbidden_transitions_stay_forbidden():
    model = GaussianHMM(2, init_params="mc", random_state=0)
    model.startprob_, model.transmat_ = [1.0, 0.0], [[0.5, 0.5], [0.0, 1.0]]
    assert model.fit([TABLE]).transmat_[1, 0] == 0.0


def test_extreme_scales_leave_finite_models():
    for scale in (1e-100, 1e100):
        model = GaussianHMM(2, covars_prior=0.0, min_covar=0.0, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit([scale * TABLE])
        assert np.isfinite(model.score([scale * TABLE]))
    constant = GaussianHMM(1).fit([np.ones((5, 2))])
    assert np.isfinite(constant.score([np.ones((1, 2))]))


def test_samples_have_the_law_of_the_model():
    model = HiddenMarkovModel(2, Poisson(1.0), random_state=0).fit([COUNTS])
    X, states = model.sample(4000, random_state=1)
    assert X.shape == (4000, 1)
    share = model.get_stationary_distribution()
    assert (states == 0).mean() == pytest.approx(share[0], abs=0.1)
    assert model.sample(5, random_state=3)[0] == pytest.approx(
        model.sample(5, random_state=3)[0]
    )


def test_criteria_count_what_was_fitted():
    model = GaussianHMM(2, random_state=0).fit([TABLE])
    fit, free = model.score([TABLE]), 1 + 2 + 4 + 4
    assert model.aic([TABLE]) == pytest.approx(-2 * fit + 2 * free)
    assert model.bic([TABLE]) == pytest.approx(-2 * fit + free * np.log(48))
    assert HiddenMarkovModel(2, Normal()).fit([TABLE[:, :1]]).aic([TABLE[:, :1]]) > 0


def test_an_impossible_symbol_has_likelihood_0_and_no_nan():
    model = CategoricalHMM(2, random_state=0).fit([SYMBOLS])
    assert model.score([[0.0], [7.0]]) == -np.inf
    assert not np.isnan(model.predict_proba([np.array([0, 7])])[0]).any()


@pytest.mark.parametrize(
    ("model", "X", "given", "told"),
    [
        (GaussianHMM(), TABLE, {"lengths": [3, 4]}, "lengths sum to 7"),
        (GaussianHMM(), [TABLE, TABLE[:0]], {}, "sequence 1 is empty"),
        (GaussianHMM(), [], {}, "one sequence or more"),
        (GaussianHMM(), [TABLE, TABLE[:, :1]], {}, "the same columns"),
        (GaussianHMM(), [np.full((3, 1), np.inf)], {}, "finite numbers"),
        (GaussianHMM(), [["a", "b"]], {}, "sequences of numbers"),
        (GaussianHMM(9), [TABLE[:3]], {}, "9 complete rows"),
        (GaussianHMM(2), [TABLE], {"y": [STATES[:3]]}, "a state for each step"),
        (GaussianHMM(2), [TABLE], {"y": [STATES + 5]}, "states of 0 to 1"),
        (GaussianHMM(2), [TABLE], {"sample_weight": [-1.0]}, "(?i)negative"),
        (PoissonHMM(), [-COUNTS], {}, "needs counts"),
        (CategoricalHMM(), [SYMBOLS + 0.5], {}, "needs symbols"),
        (CategoricalHMM(), [TABLE], {}, "one symbol for each step"),
        (CategoricalHMM(n_features=2), [SYMBOLS], {}, "there is a symbol 2"),
        (HiddenMarkovModel(), [TABLE], {}, "single numbers"),
    ],
)
def test_bad_sequences_are_told_in_a_sentence(model, X, given, told):
    with pytest.raises(ValueError, match=told):
        clone(model).fit(X, **given)


def test_bad_models_are_told_in_a_sentence():
    with pytest.raises(NotFittedError):
        GaussianHMM().predict([TABLE])
    with pytest.raises(InvalidParameterError, match="covariance_type"):
        GaussianHMM(covariance_type="round").fit([TABLE])
    with pytest.raises(InvalidParameterError, match="a law of"):
        HiddenMarkovModel(emission="normal").fit([TABLE])
    model = GaussianHMM(2, random_state=0).fit([TABLE])
    before = model.means_.copy()
    with pytest.raises(DataError, match="2 columns, got 1"):
        model.predict([TABLE[:, :1]])
    with pytest.raises(DataError, match="finite"):
        model.fit([np.full((3, 2), np.inf)])
    assert np.array_equal(model.means_, before)
