"""Leading eigenpairs: right values, orthonormal vectors, honest residuals."""

import numpy as np
import pytest

from infimum.errors import InvalidParameterError
from infimum.models.leading_eigenpairs import leading_eigenpairs

SPECTRA = {
    "spread out": lambda n: np.linspace(0, 1, n) ** 4,
    "geometric": lambda n: 0.7 ** np.arange(n),
    "twelve equal": lambda n: (np.arange(n) < 12).astype(float),
    "all equal": np.ones,
    "of both signs": lambda n: np.random.default_rng(5).standard_normal(n),
    "nothing": np.zeros,
    "of low rank": lambda n: 200.0 * 0.9 ** np.arange(n) * (np.arange(n) < 20),
}


def operator(spectrum, seed=0):
    draw = np.random.default_rng(seed)
    frame = np.linalg.qr(draw.standard_normal((len(spectrum),) * 2))[0]
    return (frame * spectrum) @ frame.T


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("n, count", [(1, 1), (9, 3), (30, 12), (120, 1), (120, 12)])
def test_values_and_vectors_are_those_of_the_operator(name, n, count):
    spectrum = SPECTRA[name](n)
    A = operator(spectrum)
    found = leading_eigenpairs(lambda V: A @ V, n, count)
    np.testing.assert_allclose(
        found.values, np.sort(spectrum)[::-1][:count], atol=1e-10, rtol=1e-12
    )
    np.testing.assert_allclose(
        found.vectors.T @ found.vectors, np.eye(count), atol=1e-12
    )
    apart = A @ found.vectors - found.vectors * found.values
    np.testing.assert_allclose(
        np.linalg.norm(apart, axis=0), found.residuals, atol=1e-12
    )
    assert found.residuals.max() <= 1e-9 * max(1.0, spectrum.max())


def test_an_eigenvalue_lies_within_the_residual_even_when_cut_short():
    spectrum = np.linspace(0, 1, 300)
    A = operator(spectrum)
    found = leading_eigenpairs(lambda V: A @ V, 300, 3, max_products=4)
    assert found.products == 4
    assert found.residuals.max() > 1e-3
    for value, residual in zip(found.values, found.residuals, strict=True):
        assert np.abs(spectrum - value).min() <= residual


def test_the_same_seed_gives_the_same_vectors():
    A = operator(SPECTRA["geometric"](50))
    one, other = (
        leading_eigenpairs(lambda V: A @ V, 50, 4, random_state=3) for _ in range(2)
    )
    np.testing.assert_array_equal(one.vectors, other.vectors)


@pytest.mark.parametrize("count", [0, 6])
def test_a_number_that_cannot_be_is_refused(count):
    with pytest.raises(InvalidParameterError, match="between 1 and 5"):
        leading_eigenpairs(lambda V: V, 5, count)
