"""Layers and activations: derivatives, convolutions, pooling, and what they bound."""

import inspect
from dataclasses import dataclass, replace

import numpy as np
import pytest
import scipy.special
from sklearn.datasets import load_digits

from infimum.errors import DataError, InvalidParameterError
from infimum.models import neural
from infimum.models.neural import (
    Convolution,
    Dense,
    Flatten,
    Identity,
    MaxPool,
    Network,
    NetworkClassifier,
    NetworkRegressor,
    ReLU,
    Reshape,
    Sigmoid,
    Softplus,
    Tanh,
)
from infimum.models.neural.activations import Activation
from infimum.models.neural.layers import Layer

ACTIVATIONS = [
    kind()
    for kind in vars(neural).values()
    if inspect.isclass(kind) and issubclass(kind, Activation)
]
NETWORKS = [
    ([Dense(4, "tanh"), Dense(2)], (3,)),
    ([Dense(4, "logistic"), Dense(3, "softplus"), Dense(1)], (3,)),
    *[
        ([Convolution(3, 2, mode, "tanh"), MaxPool(), Dense(2)], (6, 2))
        for mode in ("valid", "full", "circular")
    ],
    ([Convolution(2, 2, "valid", "softplus"), MaxPool(2), Flatten(),
      Dense(2)], (5, 5, 1)),
    ([Convolution(2, 3, "circular", "tanh"), Convolution(2, 2, "full"), Flatten(),
      Dense(2)], (4, 4, 2)),
    ([Reshape((6, 1)), Convolution(2, 3, "valid", "relu"), MaxPool(2), Flatten(),
      Dense(2)], (6,)),
]  # fmt: skip


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=repr)
def test_every_activation_has_its_derivative_and_bound(activation):
    a = np.linspace(-5.0, 5.0, 402)
    slopes = (activation.value(a + 1e-6) - activation.value(a - 1e-6)) / 2e-6
    assert np.allclose(activation.derivative(a), slopes, atol=1e-8)
    assert slopes.max() <= activation.lipschitz + 1e-8
    out, delta = activation.apply(a.copy()), np.full_like(a, 3.0)
    activation.pull(out, delta)
    assert np.allclose(out, activation.value(a))
    assert np.allclose(delta, 3.0 * activation.derivative(a), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("activation", ACTIVATIONS, ids=repr)
def test_the_compiled_pair_is_value_and_derivative(activation, dtype):
    rng = np.random.default_rng(0)
    a, b = (
        rng.standard_normal((7, 5)).astype(dtype),
        rng.standard_normal(5).astype(dtype),
    )
    slope = rng.standard_normal((7, 5)).astype(dtype)
    close = {"rtol": 20 * np.finfo(dtype).eps, "atol": 20 * np.finfo(dtype).eps}
    out, delta, total = (
        activation.forward(a.copy(), b),
        slope.copy(),
        np.empty(5, dtype),
    )
    assert out.dtype == dtype
    assert np.allclose(out, activation.value(a + b), **close)
    activation.backward(out, delta, total)
    assert np.allclose(delta, slope * activation.derivative(a + b), **close)
    assert np.allclose(total, delta.sum(axis=0), **close)
    a[2, 3] = np.nan
    with np.errstate(invalid="ignore"):
        assert np.isnan(activation.forward(a, b)[2, 3])


@pytest.mark.syllabus("S1-183", "S1-184", "S1-185", "S1-186")
def test_the_four_activations_are_the_textbooks():
    a = np.linspace(-30.0, 30.0, 101)
    assert np.allclose(Sigmoid().value(a), 1.0 / (1.0 + np.exp(-a)), rtol=1e-14)
    assert np.allclose(Sigmoid().value(a), scipy.special.expit(a), rtol=1e-15)
    rise, fall = np.exp(a), np.exp(-a)
    assert np.allclose(Tanh().value(a), (rise - fall) / (rise + fall), rtol=1e-14)
    assert np.array_equal(ReLU().value(a), np.where(a > 0, a, 0.0))
    assert np.allclose(Softplus().value(a), np.log(1.0 + np.exp(a)), atol=1e-14)
    assert np.allclose(Softplus().derivative(a), Sigmoid().value(a))


@pytest.mark.parametrize("layers, shape", NETWORKS, ids=str)
def test_gradients_are_those_of_finite_differences(layers, shape):
    rng = np.random.default_rng(0)
    network = Network(layers, shape, np.float64)
    network.theta[...] = rng.standard_normal(len(network.theta))
    X = rng.standard_normal((5, *shape))
    aim = rng.standard_normal((5, network.shapes[-1][0]))

    def value(theta):
        network.theta[...] = theta
        return float((aim * network.scores(X)).sum())

    theta = network.theta.copy()
    scores, tape = network.forward(X)
    gradient = network.backward(aim.copy(), tape).copy()
    assert np.allclose(scores, network.scores(X))
    for i in rng.permutation(len(theta))[:30]:
        step = np.zeros_like(theta)
        step[i] = 1e-6
        slope = (value(theta + step) - value(theta - step)) / 2e-6
        assert gradient[i] == pytest.approx(slope, rel=1e-6, abs=1e-7)


#: The activations as formulas that complex numbers may enter.
FORMULAS = {
    Identity: lambda a: a,
    Sigmoid: lambda a: 1.0 / (1.0 + np.exp(-a)),
    Tanh: np.tanh,
    ReLU: lambda a: np.where(a.real > 0, a, 0.0),
    Softplus: lambda a: np.log(1.0 + np.exp(a)),
}


@dataclass(frozen=True)
class Analytic(Activation):
    """An activation that takes complex numbers."""

    known: Activation

    def value(self, a):
        return FORMULAS[type(self.known)](a)

    def derivative(self, a):
        return self.known.derivative(a)

    def pull(self, out, delta):
        self.known.pull(out, delta)


def analytic(layer):
    if not hasattr(layer, "activation"):
        return layer
    return replace(layer, activation=Analytic(layer.function))


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=repr)
def test_every_activation_has_the_derivative_of_a_complex_step(activation):
    a = np.linspace(-5.0, 5.0, 402)
    slopes = FORMULAS[type(activation)](a + 1e-30j).imag / 1e-30
    assert np.abs(activation.derivative(a) - slopes).max() < 1e-14


def test_every_exported_layer_is_among_the_networks():
    exported = {
        kind
        for kind in vars(neural).values()
        if inspect.isclass(kind) and issubclass(kind, Layer)
    }
    assert exported == {type(layer) for layers, _ in NETWORKS for layer in layers}


@pytest.mark.parametrize("layers, shape", NETWORKS, ids=str)
def test_gradients_are_those_of_a_complex_step(layers, shape):
    rng = np.random.default_rng(0)
    network = Network(layers, shape, np.float64)
    network.theta[...] = rng.standard_normal(len(network.theta))
    X = rng.standard_normal((5, *shape))
    aim = rng.standard_normal((5, network.shapes[-1][0]))
    gradient = network.backward(aim.copy(), network.forward(X)[1])
    shadow = Network([analytic(layer) for layer in layers], shape, np.complex128)
    for i in rng.permutation(len(gradient))[:40]:
        shadow.theta[...] = network.theta
        shadow.theta[i] += 1e-30j
        slope = (aim * shadow.scores(X.astype(complex))).sum().imag / 1e-30
        assert gradient[i] == pytest.approx(slope, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("layers, shape", NETWORKS, ids=str)
def test_no_difference_grows_beyond_the_bound(layers, shape):
    rng = np.random.default_rng(1)
    network = Network(layers, shape, np.float64)
    network.theta[...] = rng.standard_normal(len(network.theta))
    bound = network.hidden_lipschitz()
    X = rng.standard_normal((200, *shape))
    Z = X + 10.0 ** rng.uniform(-6, 1, 200).reshape(-1, *[1] * len(shape)) * (
        rng.standard_normal((200, *shape))
    )
    apart = np.linalg.norm((X - Z).reshape(200, -1), axis=1)
    hidden = np.linalg.norm(
        (network.hidden(X) - network.hidden(Z)).reshape(200, -1), axis=1
    )
    assert (hidden <= bound * apart).all()


@pytest.mark.syllabus("S1-195")
def test_convolutions_are_numpys_and_circular_ones_products_of_fourier_series():
    rng = np.random.default_rng(0)
    x, t = rng.standard_normal(9), rng.standard_normal(4)
    weights = [t.reshape(4, 1, 1), np.zeros(1)]
    for mode in ("full", "valid"):
        found = Convolution(1, 4, mode).forward(x.reshape(1, 9, 1), weights)[0]
        assert np.allclose(found.ravel(), np.convolve(x, t, mode=mode))
    round_trip = Convolution(1, 4, "circular").forward(x.reshape(1, 9, 1), weights)[0]
    product = np.fft.ifft(np.fft.fft(x) * np.fft.fft(t, 9)).real
    assert np.allclose(round_trip.ravel(), product)


@pytest.mark.syllabus("S1-196")
def test_the_largest_of_a_circular_convolution_does_not_move_with_the_signal():
    rng = np.random.default_rng(0)
    x, t = rng.standard_normal(12), rng.standard_normal(3)
    layer, weights = Convolution(1, 3, "circular"), [t.reshape(3, 1, 1), np.zeros(1)]
    pooled = [
        MaxPool()
        .forward(layer.forward(np.roll(x, shift).reshape(1, 12, 1), weights)[0], [])[0]
        .item()
        for shift in range(12)
    ]
    assert np.ptp(pooled) < 1e-12
    blocks = MaxPool(2).forward(x.reshape(1, 12, 1), [])[0].ravel()
    assert np.array_equal(blocks, x.reshape(6, 2).max(axis=1))


@pytest.mark.syllabus("S1-197")
def test_a_layer_of_many_filters_answers_with_as_many_numbers():
    network = Network([Convolution(7, 3), MaxPool(), Dense(1)], (20, 1), np.float64)
    network.theta[...] = np.random.default_rng(0).standard_normal(len(network.theta))
    X = np.random.default_rng(1).standard_normal((4, 20, 1))
    pooled = network.hidden(X)
    assert pooled.shape == (4, 7)
    t = network.parameters[0][0][:, 0, 2]
    by_hand = [np.convolve(x, t, mode="valid").max() for x in X[:, :, 0]]
    assert np.allclose(pooled[:, 2], by_hand + network.parameters[0][1][2])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_filters_read_digits_that_were_kept_back():
    X, y = load_digits(return_X_y=True)
    X, kept = X / 16.0, np.arange(len(X)) % 4 == 0
    model = NetworkClassifier(
        [
            Convolution(16, 3, "valid", "relu"),
            Convolution(32, 3, "valid", "relu"),
            MaxPool(2),
            Flatten(),
            Dense(64, "relu"),
        ],
        input_shape=(8, 8, 1), learning_rate_init=0.002, max_iter=25, batch_size=32,
        random_state=0,
    ).fit(X[~kept], y[~kept])  # fmt: skip
    assert model.score(X[kept], y[kept]) >= 0.985
    radius = model.certified_radius(X[:60])
    assert (radius > 0).all()


@pytest.mark.parametrize(
    "layers, shape, told",
    [
        ([Dense(3)], (2, 2), r"needs 4 columns, X has 9"),
        ([Convolution(2, 3)], None, "reads signals"),
        ([Convolution(2, 12), Flatten()], (9, 1), "longer than its input"),
        ([Convolution(2, 2)], (9, 1), "put Flatten"),
        ([MaxPool(4), Flatten()], (3, 3, 1), "does not fit"),
        ([Reshape((2, 1)), Flatten()], (9, 1), r"needs 2 .* gives arrays of shape"),
    ],
)
def test_layers_that_do_not_fit_name_both_shapes(layers, shape, told):
    X = np.random.default_rng(0).standard_normal((20, 9))
    with pytest.raises(DataError, match=told):
        NetworkRegressor(layers, input_shape=shape).fit(X, X[:, 0])


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: MaxPool(0), "MaxPool.size must be"),
        (lambda: Reshape(4), "Reshape.shape must be whole numbers"),
        (lambda: Reshape((-1, 1)), "Reshape.shape must be whole numbers"),
        (lambda: NetworkClassifier([Flatten]), "layers must be a list of layers"),
        (lambda: NetworkClassifier(Dense(3)), "layers must be a list of layers"),
        (lambda: NetworkClassifier([], input_shape=4), "input_shape must be whole"),
    ],
)
def test_what_is_no_layer_and_no_shape_is_refused(make, told):
    X = np.random.default_rng(0).standard_normal((20, 4))
    with pytest.raises(InvalidParameterError, match=told):
        make().fit(X, X[:, 0] > 0)
