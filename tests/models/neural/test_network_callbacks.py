"""Networks are watched, stopped and interrupted pass by pass."""

import numpy as np
import pytest
from sklearn.callback import FitCallback, ProgressBar
from sklearn.datasets import load_breast_cancer

from infimum.errors import DataError, Interrupted
from infimum.models.neural import (
    Dense,
    MLPClassifier,
    MLPRegressor,
    NetworkClassifier,
    NetworkRegressor,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

MODELS = [
    MLPClassifier((5,), max_iter=6, random_state=0),
    MLPClassifier((5,), solver="sgd", max_iter=6, random_state=0),
    MLPClassifier((5,), solver="lbfgs", max_iter=6, random_state=0),
    MLPRegressor("squared_error", (5,), max_iter=6, random_state=0),
    NetworkClassifier([Dense(5, "tanh")], max_iter=6, random_state=0),
    NetworkRegressor([Dense(5, "tanh")], max_iter=6, random_state=0),
]


def _cells():
    X, y = load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


class Witness(FitCallback):
    """Remember passes and how good the model was; stop or interrupt when told."""

    def __init__(self, stop_after=None, interrupt_after=None, data=None):
        self.stop_after, self.interrupt_after = stop_after, interrupt_after
        self.data, self.scores = data, []
        self.begun, self.ended, self.passes = 0, 0, 0

    def setup(self, estimator, context):
        self.begun += 1

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        if context.task_name != "iteration":
            return False
        self.passes += 1
        if self.data is not None:
            self.scores.append(estimator.score(*self.data))
        if self.passes == self.interrupt_after:
            raise KeyboardInterrupt
        return self.passes == self.stop_after

    def teardown(self, estimator, context):
        self.ended += 1


def _with(model, witness):
    return type(model)(**model.get_params()).set_callbacks(witness)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_callbacks_see_every_pass_and_change_nothing(model):
    X, y = _cells()
    witness = Witness(data=(X, y))
    watched = _with(model, witness).fit(X, y)
    plain = type(model)(**model.get_params()).fit(X, y)
    assert witness.begun == witness.ended == 1
    assert witness.passes == watched.n_iter_ == plain.n_iter_
    assert witness.scores[-1] == watched.score(X, y)
    assert witness.scores[0] < witness.scores[-1]
    assert np.array_equal(watched.coefs_[0], plain.coefs_[0])


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_callback_that_says_stop_ends_the_training(model):
    X, y = _cells()
    stopped = _with(model, Witness(stop_after=2)).fit(X, y)
    short = type(model)(**{**model.get_params(), "max_iter": 2}).fit(X, y)
    assert stopped.n_iter_ == 2
    assert np.array_equal(stopped.coefs_[0], short.coefs_[0])


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_ctrl_c_keeps_what_was_learnt(model):
    X, y = _cells()
    left = _with(model, Witness(interrupt_after=2))
    with pytest.raises(Interrupted) as stop:
        left.fit(X, y)
    assert stop.value.estimator is left
    short = type(model)(**{**model.get_params(), "max_iter": 2}).fit(X, y)
    assert np.array_equal(left.coefs_[0], short.coefs_[0])


def test_the_passes_of_all_starts_are_seen_and_the_progress_bar_works(capsys):
    X, y = _cells()
    witness = Witness()
    model = MLPClassifier((5,), max_iter=3, n_init=2, random_state=0)
    model.set_callbacks(witness, ProgressBar()).fit(X, y)
    assert witness.passes == 6
    assert "MLPClassifier" in capsys.readouterr().out


def test_the_step_that_diverged_is_named():
    X, y = _cells()
    model = MLPRegressor(
        hidden_layer_sizes=(5,), solver="sgd", learning_rate_init=1e6, random_state=0
    )
    with (
        np.errstate(all="ignore"),
        pytest.raises(DataError, match=r"in pass \d+, step \d+\. .*scale the columns"),
    ):
        model.fit(1e6 * X, y)


@pytest.mark.parametrize("model", [
    MLPRegressor(hidden_layer_sizes=(5,), solver="sgd", momentum=0.0, random_state=0),
    MLPRegressor(hidden_layer_sizes=(5,), solver="sgd", shuffle=False, random_state=0),
])  # fmt: skip
def test_the_best_weights_before_a_divergence_are_kept(model):
    X, y = _cells()
    first = type(model)(**{**model.get_params(), "max_iter": 1}).fit(X, y)

    class Spoiler(Witness):
        """Spoil the weights after the second pass."""

        def on_fit_task_end(self, estimator, context):
            super().on_fit_task_end(estimator, context)
            if self.passes == 2:
                estimator.coefs_[0][...] = 1e200
                estimator.coefs_[1][...] = 1e200
            return False

    with (
        np.errstate(all="ignore"),
        pytest.raises(DataError, match=r"in pass 3, step 1\. .*after pass \d are kept"),
    ):
        _with(model, Spoiler()).fit(X, y)
    left = _with(model, Spoiler())
    with np.errstate(all="ignore"), pytest.raises(DataError) as stop:
        left.fit(X, y)
    assert stop.value.estimator is left
    assert np.isfinite(left.predict(X)).all()
    assert np.abs(left.coefs_[0]).max() < 1e3 * np.abs(first.coefs_[0]).max()
    assert left.evidence_ is None
    assert left.certify(X, y).gradient_norm > 0
