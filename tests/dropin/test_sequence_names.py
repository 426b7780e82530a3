"""Façades answer hmmlearn's and sklearn-crfsuite's users as those packages do."""

import numpy as np
import pytest

from infimum.dropin import sklearn_crfsuite
from infimum.dropin.hmmlearn import _hmmc, base, hmm, utils
from infimum.dropin.sklearn_crfsuite import metrics
from infimum.errors import DataError
from infimum.models.sequence import GaussianHMM

RNG = np.random.default_rng(0)
STATES = np.repeat([0, 1, 0, 1], 12)
TABLE = 3.0 * STATES[:, None] + RNG.standard_normal((48, 2))
LENGTHS = [20, 28]


def test_a_table_and_its_lengths_go_in_and_arrays_come_out():
    model = hmm.GaussianHMM(2, random_state=0, n_iter=20).fit(TABLE, LENGTHS)
    same = GaussianHMM(2, random_state=0, n_iter=20).fit(TABLE, lengths=LENGTHS)
    assert model.score(TABLE, LENGTHS) == same.score(TABLE, lengths=LENGTHS)
    assert model.predict(TABLE, LENGTHS).shape == (48,)
    assert list(model.monitor_.history) == same.monitor_.history
    assert hmm.GaussianHMM(2, n_iter=0, random_state=0).fit(TABLE).monitor_.iter == 0


@pytest.mark.parametrize("kind", ["spherical", "diag", "full", "tied"])
def test_steps_are_those_of_hmmlearn(kind):
    from hmmlearn import hmm as peer

    settings = {"covariance_type": kind, "init_params": "", "n_iter": 6, "tol": 0.0}
    start = hmm.GaussianHMM(2, kind, random_state=1, n_iter=0).fit(TABLE, LENGTHS)
    models = hmm.GaussianHMM(2, **settings), peer.GaussianHMM(2, **settings)
    for model in models:
        model.startprob_, model.transmat_ = start.startprob_, start.transmat_
        model.means_ = np.array([[0.5, 0.0], [2.0, 2.5]])
        spread = {"spherical": np.ones(2), "diag": np.ones((2, 2))}
        spread |= {"full": np.tile(np.eye(2), (2, 1, 1)), "tied": np.eye(2)}
        model.covars_ = spread[kind]
        model.n_features = 2
        model.fit(TABLE, LENGTHS)
    ours, theirs = (np.array(model.monitor_.history) for model in models)
    np.testing.assert_allclose(ours, theirs[: len(ours)], rtol=1e-9)
    np.testing.assert_allclose(models[0].means_, models[1].means_, rtol=1e-8)


class Coins(base.BaseHMM):
    """States that are coins: a model as hmmlearn's users write one."""

    def _init(self, X, lengths=None):
        super()._init(X, lengths)
        if self._needs_init("e", "heads_"):
            self.heads_ = np.array([0.2, 0.7])

    def _compute_likelihood(self, X):
        return np.where(X == 1, self.heads_, 1.0 - self.heads_)

    def _initialize_sufficient_statistics(self):
        return {**super()._initialize_sufficient_statistics(), "all": 0, "heads": 0}

    def _accumulate_sufficient_statistics(self, stats, X, lattice, posteriors, *rest):
        super()._accumulate_sufficient_statistics(stats, X, lattice, posteriors, *rest)
        stats["all"] = stats["all"] + posteriors.sum(axis=0)
        stats["heads"] = stats["heads"] + X.T @ posteriors

    def _do_mstep(self, stats):
        super()._do_mstep(stats)
        self.heads_ = (stats["heads"] / stats["all"]).ravel()


def test_models_that_users_write_rise_to_the_same_model():
    flips = (RNG.random((60, 1)) < np.repeat([0.1, 0.9], 30)[:, None]).astype(int)
    coins = Coins(2, random_state=0, n_iter=40, tol=0.0).fit(flips, [30, 30])
    history = np.array(coins.monitor_.history)
    assert (np.diff(history) >= -1e-9).all()
    same = hmm.CategoricalHMM(2, init_params="", n_iter=40, tol=0.0)
    first = Coins(2, random_state=0, n_iter=0).fit(flips, [30, 30])
    same.startprob_, same.transmat_ = first.startprob_, first.transmat_
    same.emissionprob_ = np.array([[0.8, 0.2], [0.3, 0.7]])
    same.fit(flips, [30, 30])
    np.testing.assert_allclose(history, same.monitor_.history, rtol=1e-9)
    np.testing.assert_allclose(coins.heads_, same.emissionprob_[:, 1], rtol=1e-6)


def test_monitors_of_users_end_fits():
    class Impatient(base.ConvergenceMonitor):
        @property
        def converged(self):
            return self.iter == 2

    model = hmm.GaussianHMM(2, random_state=0, n_iter=30)
    model.monitor_ = Impatient(1e-2, 30, False)
    assert model.fit(TABLE).monitor_.iter == 2


def test_passes_agree_in_both_forms():
    start, across = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.4, 0.6]])
    chances = RNG.random((5, 2))
    logs, ahead = _hmmc.forward_log(start, across, np.log(chances))
    total, shares, scaling = _hmmc.forward_scaling(start, across, chances)
    assert logs == pytest.approx(total)
    back = _hmmc.backward_log(start, across, np.log(chances))
    np.testing.assert_allclose(np.logaddexp.reduce(ahead + back, axis=1), logs)
    scaled = _hmmc.backward_scaling(start, across, chances, scaling)
    np.testing.assert_allclose((shares * scaled / scaling[:, None]).sum(axis=1), 1.0)
    with pytest.raises(DataError, match="underflow"):
        _hmmc.forward_scaling(start, across, np.zeros((3, 2)))


def test_functions_of_utils():
    table = np.array([[1.0, 3.0], [0.0, 0.0]])
    utils.normalize(table, axis=1)
    assert table.tolist() == [[0.25, 0.75], [0.0, 0.0]]
    logs = np.log([[1.0, 3.0]])
    utils.log_normalize(logs, axis=1)
    np.testing.assert_allclose(np.exp(logs), [[0.25, 0.75]])


X = [[{"w": "a", "b": b"bytes"}, {"w": "b"}, {}], [{"w": "b"}]]
Y = [["x", "y", "y"], ["y"]]


def test_fields_give_what_crfsuites_users_read(tmp_path):
    file = str(tmp_path / "field")
    model = sklearn_crfsuite.CRF(model_filename=file)
    assert model.classes_ is model.tagger_ is model.size_ is None
    assert model.state_features_ is model.num_attributes_ is None
    said = model.fit(X, Y).predict(X)
    assert isinstance(said, np.ndarray)
    assert said.tolist() == [list(labels) for labels in Y]
    assert model.tagger_.labels() == ["x", "y"]
    model.tagger_.set(X[0])
    assert model.size_ > 100
    other = sklearn_crfsuite.CRF(model_filename=file)
    assert other.predict(X).tolist() == said.tolist()
    assert other.state_features_ == model.state_features_


def test_scores_of_sequences():
    one, other = [["a", "b"], ["c"]], [["a", "b"], ["d"]]
    assert metrics.flat_accuracy_score(one, other) == pytest.approx(2 / 3)
    assert metrics.sequence_accuracy_score(one, other) == 0.5
    assert metrics.sequence_accuracy_score([], []) == 0.0
