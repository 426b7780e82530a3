"""Scripts written for scikit-learn's Gaussian processes find everything here."""

import inspect

import numpy as np
import pytest
from sklearn import gaussian_process as theirs

from infimum.dropin import gaussian_process as ours
from infimum.dropin.gaussian_process import kernels
from infimum.errors import IncompatibleError

X = np.linspace(0.0, 5.0, 25)[:, None]
Y = np.sin(2 * X[:, 0]) + 0.1 * np.cos(40 * X[:, 0])
KERNELS = [
    kernels.ConstantKernel(2.0) * kernels.RBF(0.5) + kernels.WhiteKernel(0.1),
    kernels.Matern(1.0, nu=1.5) + kernels.DotProduct(1.0),
    kernels.ExpSineSquared(1.0, 3.0) + kernels.WhiteKernel(0.2),
    kernels.RationalQuadratic(1.0, 0.5) ** 2 + kernels.WhiteKernel(0.1),
    kernels.PairwiseKernel(metric="laplacian") + kernels.WhiteKernel(0.1),
]


def test_every_kernel_of_scikit_learn_is_there():
    public = {
        name
        for name, part in vars(theirs.kernels).items()
        if inspect.isclass(part)
        and issubclass(part, theirs.kernels.Kernel)
        and part is not theirs.kernels.KernelOperator
    }
    assert all(hasattr(kernels, name) for name in public)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_every_kernel_gives_the_posterior_of_the_peer(kernel):
    settings = {"alpha": 1e-3, "optimizer": None}
    mine = ours.GaussianProcessRegressor(kernel, **settings).fit(X, Y)
    peer = theirs.GaussianProcessRegressor(kernel, **settings).fit(X, Y)
    new = X + 0.07
    for got, wanted in zip(
        mine.predict(new, return_std=True),
        peer.predict(new, return_std=True),
        strict=True,
    ):
        assert got == pytest.approx(wanted, abs=1e-5)
    value, slope = mine.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    wanted = peer.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    assert value == pytest.approx(wanted[0], rel=1e-8)
    assert slope == pytest.approx(wanted[1], rel=1e-5, abs=1e-6)


def test_the_score_behind_the_label_is_that_of_the_peer():
    kernel = 4.0 * kernels.RBF(0.7)
    mine = ours.GaussianProcessClassifier(kernel, optimizer=None).fit(X, Y > 0)
    peer = theirs.GaussianProcessClassifier(kernel, optimizer=None).fit(X, Y > 0)
    for got, wanted in zip(
        mine.latent_mean_and_variance(X + 0.1),
        peer.latent_mean_and_variance(X + 0.1),
        strict=True,
    ):
        assert got == pytest.approx(wanted, abs=1e-4)
    three = ours.GaussianProcessClassifier().fit(X, np.arange(25) % 3)
    with pytest.raises(IncompatibleError, match="two classes only, got 3"):
        three.latent_mean_and_variance(X)
