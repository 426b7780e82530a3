"""The first layer of a wide network, shared by two cores, and when it is not."""

import threading
import warnings

import numpy as np
import pytest
from sklearn import neural_network as peer

from infimum.dropin.neural_network import MLPClassifier, MLPRegressor
from infimum.errors import DataError, Interrupted
from infimum.models import neural
from infimum.models.neural import two_cores
from infimum.models.neural.two_cores import TwoCores

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Let networks be shared whatever the machine; return the ways that were begun."""
    begun = []
    run = TwoCores.run

    def seen(self, *given):
        begun.append(self)
        return run(self, *given)

    monkeypatch.setattr(TwoCores, "run", seen)
    monkeypatch.setattr(two_cores, "blas_threads", lambda: 2)
    monkeypatch.setattr(two_cores, "free_cores", lambda: 2)
    monkeypatch.setattr(two_cores, "FEW_MULTIPLICATIONS", 0)
    return begun


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((430, 41))
    return X, (X[:, :8] @ rng.standard_normal((8, 5))).argmax(axis=1)


SETTINGS = [
    {},
    {"shuffle": False},
    {"activation": "tanh", "hidden_layer_sizes": (30, 6)},
    {"early_stopping": True},
    {"solver": "sgd", "learning_rate_init": 0.1},
    {"solver": "sgd", "nesterovs_momentum": False, "learning_rate": "invscaling"},
    {"solver": "sgd", "momentum": 0.0, "alpha": 0.5},
    {"batch_size": 1},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_weights_are_scikit_learns(shared, table, settings):
    wanted = {"max_iter": 5, "hidden_layer_sizes": (30,), "batch_size": 64}
    wanted |= {"random_state": 0, **settings}
    ours, theirs = MLPClassifier(**wanted), peer.MLPClassifier(**wanted)
    ours.fit(*table), theirs.fit(*table)
    assert len(shared) == 5
    parts = ours.coefs_ + ours.intercepts_, theirs.coefs_ + theirs.intercepts_
    for a, b in zip(*parts, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.loss_curve_, theirs.loss_curve_, rtol=1e-12)


def test_weights_of_rows_and_partial_fit_are_too(shared, table):
    X = table[0]
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(X))
    wanted = {"hidden_layer_sizes": (30,), "batch_size": 50, "random_state": 0}
    ours, theirs = MLPRegressor(**wanted), peer.MLPRegressor(**wanted)
    for _ in range(3):
        ours.partial_fit(X, X[:, :2], sample_weight=weights)
        theirs.partial_fit(X, X[:, :2], sample_weight=weights)
    assert len(shared) == 3
    for a, b in zip(ours.coefs_, theirs.coefs_, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


def _fitted(table, **settings):
    wanted = {"max_iter": 4, "batch_size": 50, "random_state": 0, **settings}
    return neural.MLPClassifier((30,), **wanted).fit(*table)


@pytest.mark.parametrize("settings", [{"dropout": 0.3}, {"class_weight": "balanced"}])
def test_what_scikit_learn_lacks_is_as_on_one_thread(
    monkeypatch, shared, table, settings
):
    together = _fitted(table, **settings)
    assert shared
    monkeypatch.setattr(two_cores, "blas_threads", lambda: 1)
    count, alone = len(shared), _fitted(table, **settings)
    assert len(shared) == count
    for a, b in zip(together.coefs_, alone.coefs_, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


def test_single_precision_stays_single(shared, table):
    net = _fitted((table[0].astype(np.float32), table[1]))
    assert shared
    assert net.coefs_[0].dtype == np.float32
    np.testing.assert_allclose(net.coefs_[0], _fitted(table).coefs_[0], atol=1e-3)


def test_a_divergence_names_its_step_and_ends_both_threads(shared, table):
    before = threading.active_count()
    with pytest.raises(DataError, match=r"in pass \d+, step \d+"):
        _fitted((table[0] * 1e150, table[1]), solver="sgd", learning_rate_init=1e300)
    assert shared
    assert threading.active_count() == before


@pytest.mark.parametrize("step", [1, 12, 25])
def test_ctrl_c_inside_a_pass_ends_both_threads(monkeypatch, shared, table, step):
    taken, move = [], TwoCores.move

    def pressed(self, decay):
        taken.append(decay)
        if len(taken) == step:
            raise KeyboardInterrupt
        move(self, decay)

    monkeypatch.setattr(TwoCores, "move", pressed)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt if step == 1 else Interrupted):
        _fitted(table)
    assert len(taken) == step
    assert threading.active_count() == before
    assert type(shared[0].network.layers[0]) is neural.Dense


def test_a_thread_that_fails_is_told(monkeypatch, table):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr("infimum.compiled.descent.shared_columns.follow_columns", fail)
    with pytest.raises(RuntimeError, match="has ended"):
        _fitted(table)


@pytest.mark.parametrize(
    "change", ["few rows", "column order", "weights of 0", "wide later layers"]
)
def test_other_networks_are_left_to_blas(shared, table, change):
    X, y = table
    net = neural.MLPClassifier((30,), batch_size=50, max_iter=2, random_state=0)
    weights = None
    if change == "few rows":
        X, y = X[:120], y[:120]
    elif change == "column order":
        X = np.asfortranarray(X)
    elif change == "weights of 0":
        weights = np.r_[np.zeros(60), np.ones(len(X) - 60)]
    else:
        net.set_params(hidden_layer_sizes=(30, 60))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net.fit(X, y, weights)
    assert not shared
