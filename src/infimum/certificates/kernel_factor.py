r"""Proofs in the space of a kernel, found on a factor of the kernel matrix.

A factor R with RRᵀ ≈ K turns a problem in that space into a linear one, whose proof is
about R. What is stored are the coefficients c of :math:`f = \sum_i c_i k(x_i, ·) + b`,
and what is claimed is about k. Two differences are counted here, both exactly but for
the rounding of kernel values and of extended precision: between the risk of f and that
of the factor's point, and between the lower bounds of the same slopes s,

.. math:: D_k(s) = D_R(s) - \frac{1}{2λ}\left(a^\top K a - \|R^\top a\|^2\right),
          \qquad a = q∘s.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.certificates.feasibility import balance
from infimum.objectives import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["KernelValues", "proved_in_space"]

UNIT = float(np.finfo(np.float64).eps) / 2.0
#: The unit of extended precision; where there is none it is that of double precision.
EXTENDED = float(np.finfo(np.longdouble).eps) / 2.0
#: Products of errors are a small share of this.
SECOND_ORDER = 1.01
#: Rows that are held in extended precision at a time.
ROWS = 128


class KernelValues(NamedTuple):
    """A kernel matrix as computed, and how far from the kernel it can be.

    Attributes
    ----------
    gram : ndarray of shape (n_samples, n_samples)
    lengths : ndarray of shape (n_samples,)
        √k(x, x); no value exceeds the product of two.
    blur : ndarray of shape (n_samples,) or float
        The error of a value at most, as a share of that product; 0 where the values
        as computed are the problem.
    """

    gram: Matrix
    lengths: Vector
    blur: Vector | float

    def sums(self, columns: Matrix) -> tuple[Matrix, Matrix]:
        """Return the products with some columns, and their errors at most."""
        found = _products(self.gram, columns)
        share = self.blur + 2.0 * (len(columns) + 8) * EXTENDED
        sizes = self.lengths @ np.abs(columns)
        return found, np.outer(share * self.lengths, sizes) + UNIT * np.abs(found)


def proved_in_space(
    proof: Certificate,
    risk: LinearRisk,
    values: KernelValues,
    stored: tuple[Matrix, Vector],
    proposals: list[Vector],
) -> Certificate:
    """Return the proof of stored coefficients, given that of a factor's point.

    Parameters
    ----------
    proof : Certificate
        Of the point on the factor, which is the design of `risk`.
    risk : LinearRisk
        The problem on the factor, with the ridge penalty.
    values : KernelValues
    stored : coefficients of shape (n_samples, scores), intercepts of shape (scores,)
        The intercepts in the units of the risk's targets.
    proposals : list of ndarray
        The slopes that the proof may rest on.
    """
    if not np.isfinite([proof.primal, proof.dual]).all():
        return proof
    strength = float(risk.penalty.quadratic or 0.0)
    coef, intercepts = stored
    outputs, errors = values.sums(coef)
    scores = outputs + intercepts
    shaped = scores.reshape(len(scores), *np.shape(risk.origin())[1:])
    primal = risk.evaluate(risk.origin(), shaped).empirical
    primal += 0.5 * strength * float(np.sum(coef * outputs))
    slack = 0.5 * strength * float(np.sum(np.abs(coef) * errors))
    slack += 4.0 * UNIT * strength * float(np.sum(np.abs(coef * outputs)))
    steep = _steepness(risk, shaped, proposals)
    slack += float(np.sum((errors + UNIT * np.abs(scores)) * steep))
    lowered = [_lowered(risk, values, slopes, strength) for slopes in proposals]
    slack = SECOND_ORDER * (slack + max(error for _, error in lowered))
    dual = proof.dual - max(moved for moved, _ in lowered) - slack
    return replace(proof, primal=primal, dual=dual, slack=proof.slack + slack)


def _steepness(risk: LinearRisk, scores: Vector, proposals: list[Vector]) -> Matrix:
    """Return what an error of a score may add to the risk, as a share of it."""
    slopes = [risk.loss.derivative(risk.y, scores), *proposals]
    steep = np.max([np.abs(each).reshape(len(scores), -1) for each in slopes], axis=0)
    return np.asarray(steep * risk.weights[:, None])


def _lowered(
    risk: LinearRisk, values: KernelValues, slopes: Vector, strength: float
) -> tuple[float, float]:
    """Return by how much the kernel's lower bound is below the factor's, with error."""
    slopes = balance(risk, slopes).reshape(len(slopes), -1)
    a = slopes * risk.weights[:, None]
    if risk.intercept:  # the factor is centred: so are its products with any slopes
        a = a - risk.weights[:, None] * a.sum(axis=0)
    pulled, errors = values.sums(a)
    factor = _products(np.asarray(risk.design.toarray()).T, a)
    mine, other = np.sum(a * pulled), np.sum(factor * factor)
    sizes = float(np.sum(np.abs(a * pulled)) + other)
    lost = float(np.sum(np.abs(a) * errors)) + 4.0 * UNIT * sizes
    return float(mine - other) / (2.0 * strength), lost / (2.0 * strength)


def _products(A: Matrix, columns: Matrix) -> Matrix:
    """Return a product whose sums are made in extended precision."""
    exact = columns.astype(np.longdouble)
    parts = [
        A[first : first + ROWS].astype(np.longdouble) @ exact
        for first in range(0, len(A), ROWS)
    ]
    return np.concatenate(parts).astype(np.float64)
