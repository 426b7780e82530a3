"""One Ctrl-C ends a loop of fits, and the last model is kept with its gap."""

import pickle
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

from infimum.errors import Interrupted
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.kernel import SVC, SVR
from infimum.models.linear import LogisticRegression, Ridge, RiskMinimizer
from infimum.models.novelty import OneClassSVM
from infimum.solvers import Newton
from infimum.solvers.progress import INTERRUPTED
from infimum.solvers.support_vectors.working_set_descent import WholeSet

#: Fits until it is told to stop; each takes a good part of a second.
LOOP = """
    import numpy as np, sys
    from infimum.errors import Interrupted
    from infimum.models.linear import RiskMinimizer
    from infimum.solvers import ProximalGradient
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 60)) * np.logspace(-3, 3, 60)
    y = X @ rng.standard_normal(60)
    slow = ProximalGradient(tolerance=1e-14, max_seconds=0.5)
    begun = 0
    try:
        for _ in range(50):
            begun += 1
            model = RiskMinimizer("huber", "lasso", strength=1e-6, solver=slow)
            print(begun, flush=True)
            model.fit(X, y)
    except KeyboardInterrupt as stop:
        proof = model.certificate_
        assert isinstance(stop, Interrupted), repr(stop)
        assert stop.estimator is model
        assert proof.dual <= proof.primal < np.inf
        print("ended", begun, proof.reason, model.predict(X).shape[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
def test_a_real_signal_ends_a_loop_at_once():
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(LOOP)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as loop:
        lines = [loop.stdout.readline() for _ in range(3)]  # in the middle of the third
        time.sleep(0.2)
        loop.send_signal(signal.SIGINT)
        rest, errors = loop.communicate(timeout=60)
    assert [line.strip() for line in lines] == ["1", "2", "3"]
    words = rest.splitlines()[-1].split()
    assert words[0] == "ended", rest + errors
    assert int(words[1]) <= 4
    assert words[2:] == ["interrupted", "400"]


def interrupt_first(monkeypatch, kind, name):
    """Press Ctrl-C in the first call of a method, and count the calls."""
    calls = []
    method = getattr(kind, name)

    def watched(*given, **named):
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return method(*given, **named)

    monkeypatch.setattr(kind, name, watched)
    return calls


def fit_many(machine, X, y):
    for _ in range(50):
        machine.fit(X, y)


def data(rng):
    X = rng.standard_normal((60, 3))
    return X, X[:, 0] + 0.3 * rng.standard_normal(60)


def test_a_cross_validation_ends_with_its_first_fit(rng, monkeypatch):
    X, y = data(rng)
    calls = interrupt_first(monkeypatch, Newton, "_descend")
    with pytest.raises(KeyboardInterrupt):
        cross_val_score(LogisticRegression(), X, y > 0, cv=5)
    assert len(calls) == 1


@pytest.mark.parametrize("machine", [SVC(), SVR(), OneClassSVM()], ids=repr)
def test_a_machine_keeps_its_best_point_and_ends_the_loop(machine, rng, monkeypatch):
    X, y = data(rng)
    target = y > 0 if isinstance(machine, SVC) else y
    calls = interrupt_first(monkeypatch, WholeSet, "solve")
    with pytest.raises(Interrupted) as stop:
        fit_many(machine, X, target)
    assert len(calls) == 1
    assert stop.value.estimator is machine
    assert machine.certificate_.reason == INTERRUPTED
    assert machine.predict(X).shape == y.shape


def test_the_pairs_after_an_interrupted_one_are_not_begun(rng, monkeypatch):
    X, y = data(rng)
    labels = np.digitize(y, [-0.5, 0.5])
    machine = SVC().fit(X, labels)
    before = dict(vars(machine))
    calls = interrupt_first(monkeypatch, WholeSet, "solve")
    with pytest.raises(KeyboardInterrupt) as stop:
        machine.fit(X, labels)
    assert not isinstance(stop.value, Interrupted)
    assert len(calls) == 1
    assert vars(machine) == before


def test_a_part_that_was_interrupted_is_not_the_whole(rng):
    class Pair:
        @whole_or_not_at_all
        def fit(self, part):
            self.part_ = part
            raise Interrupted(part)

    pair = Pair()
    with pytest.raises(Interrupted):
        pair.fit(Ridge())
    assert not hasattr(pair, "part_")


def test_an_interruption_can_be_sent_to_another_process(rng):
    X, y = data(rng)
    model = RiskMinimizer().fit(X, y)
    again = pickle.loads(pickle.dumps(Interrupted(model)))
    np.testing.assert_array_equal(again.estimator.coef_, model.coef_)
    assert str(again) == str(Interrupted(model))
