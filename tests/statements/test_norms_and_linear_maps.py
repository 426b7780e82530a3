"""Norms, inner products and matrices, as the parts of the library use them."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.spatial.distance import cdist

from infimum.data.designs import StandardizedDesign, as_design
from infimum.errors import DataError, IncompatibleError
from infimum.kernels import Gaussian, Linear, Spectrum, kernel_distances
from infimum.models.linear import LinearRegression
from infimum.objectives import gram_root
from infimum.study.convexity import Quadratic, SquaredNorm, norm
from infimum.study.features import p_norm
from infimum.study.matrices import (
    LinearMap,
    coordinates,
    definiteness,
    matrix_norms,
    matrix_of,
    orthogonality,
    project_onto,
    rank,
    singular_value_decomposition,
    span,
    spectral_decomposition,
)

ORDERS = [1.0, 1.5, 2.0, 3.0, np.inf]


@pytest.mark.syllabus("S1-205", "S1-207")
@pytest.mark.parametrize("order", ORDERS)
def test_the_norm_of_a_difference_is_a_metric(order, rng):
    X = rng.standard_normal((12, 4))
    X[3] = X[7]
    distances = np.array([[norm(x - z, order) for z in X] for x in X])
    names = {1.0: "cityblock", 2.0: "euclidean", np.inf: "chebyshev"}
    if order in names:
        assert distances == pytest.approx(cdist(X, X, names[order]))
    same = (X[:, None] == X[None]).all(axis=2)
    assert ((distances == 0) == same).all()
    assert (distances >= 0).all()
    assert distances == pytest.approx(distances.T)
    obeys_the_triangle(distances)


def obeys_the_triangle(distances):
    detours = distances[:, :, None] + distances[None, :, :]  # d(x, y) + d(y, z)
    assert (distances[:, None, :] <= detours + 1e-7).all()


@pytest.mark.syllabus("S1-205")
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7), Spectrum(2)])
def test_distances_in_a_feature_space_obey_the_axioms_of_a_metric(kernel, rng):
    words = ["banana", "ananas", "bandana", "nab", "cabana"]
    things = words if isinstance(kernel, Spectrum) else rng.standard_normal((6, 3))
    distances = kernel_distances(kernel, things)
    apart = ~np.eye(len(distances), dtype=bool)
    assert np.diag(distances) == pytest.approx(0, abs=1e-7)
    assert (distances[apart] > 0).all()
    assert distances == pytest.approx(distances.T)
    obeys_the_triangle(distances)


@pytest.mark.syllabus("S1-208")
def test_the_first_two_norms_bound_each_other(rng):
    for d in (1, 3, 50):
        X = np.vstack([rng.standard_normal((40, d)), np.ones(d), np.eye(d)[0]])
        ones, twos = p_norm(X, 1, axis=1), p_norm(X, 2, axis=1)
        assert (ones / np.sqrt(d) <= twos * (1 + 1e-12)).all()
        assert (twos <= ones * (1 + 1e-12)).all()
        assert ones[-2] / np.sqrt(d) == pytest.approx(twos[-2])  # at (1, …, 1)
        assert twos[-1] == pytest.approx(ones[-1])  # at a unit vector


@pytest.mark.syllabus("S1-209")
def test_a_definite_matrix_gives_an_inner_product_and_a_norm(rng):
    root = rng.standard_normal((6, 4))
    form = Quadratic(root.T @ root)

    def inner(v, w):
        return form.gradient(v) @ w  # ⟨v, w⟩ = vᵀAw

    u, v, w = rng.standard_normal((3, 4))
    assert inner(v, w) == pytest.approx(inner(w, v))
    assert inner(2 * u - v, w) == pytest.approx(2 * inner(u, w) - inner(v, w))
    assert inner(v, v) > 0 == inner(np.zeros(4), np.zeros(4))
    assert np.sqrt(inner(v, v)) == pytest.approx(norm(root @ v))
    plain = Quadratic(np.eye(4))
    assert plain.gradient(v) @ w == pytest.approx(v @ w)
    assert np.sqrt(2 * SquaredNorm().value(v)) == pytest.approx(np.sqrt(v @ v))


@pytest.mark.syllabus("S1-210")
@pytest.mark.parametrize("order", ORDERS)
def test_only_the_euclidean_norm_obeys_the_parallelogram_law(order):
    v, w = np.eye(2)
    sides = norm(v + w, order) ** 2 + norm(v - w, order) ** 2
    diagonals = 2 * norm(v, order) ** 2 + 2 * norm(w, order) ** 2
    assert (sides == pytest.approx(diagonals)) == (order == 2.0)
    if order == 1.0:
        assert (sides, diagonals) == (8.0, 4.0)


@pytest.mark.syllabus("S1-211", "S1-212")
def test_lengths_tell_inner_products_and_bound_them(rng):
    for v, w in rng.standard_normal((50, 2, 5)):
        polar = (norm(v + w) ** 2 - norm(v - w) ** 2) / 4
        assert polar == pytest.approx(v @ w)
        assert abs(polar) <= norm(v) * norm(w) * (1 + 1e-12)
        # Equality exactly when one is a multiple of the other.
        stretched = (norm(v + 3 * v) ** 2 - norm(v - 3 * v) ** 2) / 4
        assert stretched == pytest.approx(norm(v) * norm(3 * v))


@pytest.mark.syllabus("S1-213")
def test_an_orthonormal_basis_gives_coordinates_by_inner_products(rng):
    axes = linalg.qr(rng.standard_normal((4, 4)))[0]
    assert orthogonality(axes).orthonormal
    assert not orthogonality(2 * axes).orthonormal
    v = rng.standard_normal(4)
    found = coordinates(axes, v)
    assert found.values == pytest.approx([axis @ v for axis in axes.T])
    assert found.residual == pytest.approx(0, abs=1e-12)
    # The size of v is that of its coordinates (Parseval).
    assert norm(found.values) == pytest.approx(norm(v))


@pytest.mark.syllabus("S1-204")
def test_a_basis_gives_every_vector_its_own_coordinates(rng):
    B, v = rng.standard_normal((4, 4)), rng.standard_normal(4)  # columns: a basis
    assert span(B).basis
    found = coordinates(B, v).values
    assert sum(c * b for c, b in zip(found, B.T, strict=True)) == pytest.approx(v)
    assert coordinates(np.eye(4), v).values == pytest.approx(v)
    # Five vectors of the same space are no basis: some combination of them is 0.
    more = np.column_stack([B, B @ np.ones(4)])
    report = span(more)
    assert not report.basis
    assert report.dimension == 4
    assert more @ report.relation == pytest.approx(0, abs=1e-10)
    assert norm(report.relation) > 0.1
    # Three vectors are none either: v is not among what they combine to.
    assert not span(B[:, :3]).basis
    with pytest.raises(IncompatibleError, match="a vector in the span"):
        coordinates(B[:, :3], v)


@pytest.mark.syllabus("S1-215")
def test_a_space_is_a_subspace_and_its_orthogonal_complement(rng):
    X, y = rng.standard_normal((10, 3)), rng.standard_normal(10)
    onto = project_onto(X)
    assert onto.orthogonal
    assert onto.matrix @ onto.matrix == pytest.approx(onto.matrix, abs=1e-12)
    assert onto.matrix == pytest.approx(onto.matrix.T, abs=1e-12)
    closest, rest = onto(y), y - onto(y)
    assert X.T @ rest == pytest.approx(0, abs=1e-12)  # the rest is in the complement
    away = project_onto(linalg.null_space(X.T))
    assert away(y) == pytest.approx(rest)
    for w in rng.standard_normal((20, 3)):
        assert norm(y - X @ w) > norm(rest)
    model = LinearRegression(fit_intercept=False).fit(X, y)
    assert model.predict(X) == pytest.approx(closest)


@pytest.mark.syllabus("S1-216")
@pytest.mark.parametrize("shape, size", [((8, 5), 5), ((8, 5), 3), ((5, 8), 4)])
def test_rank_and_nullity_add_up_to_the_number_of_columns(shape, size, rng):
    m, n = shape
    A = rng.standard_normal((m, size)) @ rng.standard_normal((size, n))
    report = rank(A)
    assert report.agreed
    assert int(report) == size
    assert size + linalg.null_space(A).shape[1] == n
    # The matrix of a linear map has the images of the unit vectors as columns.
    assert matrix_of(lambda v: A @ v, n).matrix == pytest.approx(A)


@pytest.mark.syllabus("S1-217")
def test_pulling_back_is_the_adjoint_of_scoring(rng):
    X = np.where(rng.random((12, 5)) < 0.5, rng.standard_normal((12, 5)), 0.0)
    shift, scale = rng.standard_normal(5), rng.random(5) + 0.5
    designs = [
        as_design(X),
        as_design(np.asfortranarray(X)),
        as_design(sparse.csr_array(X)),
        as_design(sparse.csc_array(X)),
        StandardizedDesign(as_design(sparse.csr_array(X)), shift, scale),
    ]
    w, s = rng.standard_normal(5), rng.standard_normal(12)
    for design in designs:
        assert design.scores(w) @ s == pytest.approx(w @ design.pull_back(s))
    T = LinearMap(X)
    assert T(w) @ s == pytest.approx(w @ T.transpose(s))
    assert T.transpose.matrix.tolist() == X.T.tolist()


@pytest.mark.syllabus("S1-218", "S1-220")
def test_symmetric_matrices_have_orthonormal_eigenvectors_and_all_have_an_svd(rng):
    A = rng.standard_normal((6, 4))
    spectrum = spectral_decomposition(A.T @ A)
    values, right = spectrum.values, spectrum.vectors
    assert right.T @ right == pytest.approx(np.eye(4), abs=1e-12)
    assert A.T @ A @ right == pytest.approx(right * values)
    outer = sum(s * np.outer(v, v) for s, v in zip(values, right.T, strict=True))
    assert outer == pytest.approx(A.T @ A)
    # A v = σ u and Aᵀu = σ v, with the spectra of AᵀA and AAᵀ.
    parts = singular_value_decomposition(A)
    left = parts.U[:, :4]
    assert parts.values == pytest.approx(np.sqrt(values))
    assert parts.values == pytest.approx(
        np.sqrt(spectral_decomposition(A @ A.T).values[:4])
    )
    assert pytest.approx(left * parts.values) == A @ parts.V
    assert A.T @ left == pytest.approx(parts.V * parts.values)
    assert np.abs(np.sum(parts.V * right, axis=0)) == pytest.approx(np.ones(4))
    assert (left * parts.values) @ parts.V.T == pytest.approx(A)


@pytest.mark.syllabus("S1-219")
def test_a_quadratic_form_is_positive_when_its_eigenvalues_are(rng):
    Q = linalg.qr(rng.standard_normal((4, 4)))[0]
    cases = {
        "definite": np.array([0.5, 1.0, 2.0, 3.0]),
        "semidefinite": np.array([0.0, 1.0, 2.0, 3.0]),
        "indefinite": np.array([-0.1, 1.0, 2.0, 3.0]),
    }
    for name, values in cases.items():
        A = (Q * values) @ Q.T
        A = (A + A.T) / 2
        report = definiteness(A)
        assert report.agreed
        assert report.smallest == pytest.approx(values[0], abs=1e-12)
        assert bool(report) == (name != "indefinite")
        assert report.strictly == (name == "definite")
        if name == "indefinite":
            for refuse in (Quadratic, gram_root):
                with pytest.raises(DataError, match="positive semi-definite"):
                    refuse(A)
            continue
        form = Quadratic(A)
        forms = [2 * form.value(v) for v in rng.standard_normal((50, 4))]
        assert min(forms) > 0
        assert form.strong_convexity == pytest.approx(values[0], abs=1e-12)
        assert gram_root(A).shape == (4, 4 if name == "definite" else 3)


@pytest.mark.syllabus("S1-221", "S1-222")
@pytest.mark.parametrize("shape", [(7, 4), (4, 7)])
def test_the_spectral_and_the_frobenius_norm_come_from_the_singular_values(shape, rng):
    A = rng.standard_normal(shape)
    singular = np.linalg.svd(A, compute_uv=False)
    # ½‖Av‖² is smooth with the square of the largest stretch.
    spectral = np.sqrt(SquaredNorm().after(A).smoothness)
    assert spectral == pytest.approx(singular[0])
    assert spectral == pytest.approx(np.sqrt(np.linalg.eigvalsh(A @ A.T)[-1]))
    stretches = [norm(A @ v) / norm(v) for v in rng.standard_normal((100, shape[1]))]
    assert max(stretches) <= spectral
    norms = matrix_norms(A)
    assert norms.operator == pytest.approx(spectral)
    assert norm(A @ norms.direction) == pytest.approx(spectral)
    frobenius = norms.frobenius
    assert frobenius == pytest.approx(np.sqrt((A**2).sum()))
    assert frobenius == pytest.approx(np.sqrt(np.trace(as_design(A).gram())))
    assert frobenius == pytest.approx(p_norm(singular, 2))
    assert spectral <= frobenius <= np.sqrt(min(shape)) * spectral
