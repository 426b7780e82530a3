"""Convergence rates of the solvers: how fast, under which assumptions, from where."""

from __future__ import annotations

from typing import NamedTuple

from infimum.errors import IncompatibleError
from infimum.solvers._solver import Solver

__all__ = ["Rate", "rate_of"]


class Rate(NamedTuple):
    """A promise about the k-th iterate, what it needs, and where it is proved.

    P is the regularised risk, P* its minimum, R the mean loss, σ a modulus of strong
    convexity, L one of smoothness, G a bound on subgradients, κ = L/σ.
    """

    promise: str
    needs: str
    source: str

    def __str__(self) -> str:
        return f"{self.promise}, if {self.needs} ({self.source})"


LINEAR = "P(k) - P* <= (1 - σ/L)^k (P(0) - P*)"
QUADRATIC = "‖w(k+1) - w*‖ <= M/(2σ) ‖w(k) - w*‖²"
CURVED = "P is σ-strongly convex and L-smooth"
STEADY = "P is σ-strongly convex, its Hessian M-Lipschitz, and full steps are taken"

_RATES: dict[str, Rate] = {
    "AugmentedLagrangian": Rate(
        "D* - D(k) <= c‖s(0) - s*‖² 0.3^k: each rounding is at least so much sharper",
        "there are dual solutions s*, and the rounded problems are solved exactly",
        "Rockafellar 1976; Güler 1991",
    ),
    "BlockFrankWolfe": Rate(
        "D* - D(k) <= 2/(k + 2) (4R²/(λn) + D*) after k passes, on average",
        "differences of features are no longer than R, samples are drawn at random; "
        "passes in random order do no worse in all that was observed",
        "Lacoste-Julien, Jaggi, Schmidt & Pletscher 2013",
    ),
    "Bundle": Rate(
        "gap(k) <= 8G²/(λ (k - log₂(λ P(0)/G²)))",
        "subgradients of R are no longer than G",
        "Teo, Vishwanathan, Smola & Le 2010",
    ),
    "ConcaveConvex": Rate(
        "the least fall of a convex model up to k <= (P(0) - P*)/k",
        "P is bounded below; the limit is stationary, not a global minimum",
        "Lanckriet & Sriperumbudur 2009",
    ),
    "CoordinateDescent": Rate(
        "quadratic near w*, and in all that was observed " + LINEAR,
        CURVED,
        "Lee, Sun & Saunders 2014",
    ),
    "DualCoordinateAscent": Rate(
        "gap(k) <= n/s (1 - s/n)^(nk) P*, s = λn/(LR² + λn), on average",
        "losses are L-smooth, rows no longer than R, no intercept; 1/k with kinks",
        "Shalev-Shwartz & Zhang 2013",
    ),
    "FrankWolfe": Rate(
        "P(k) - P* <= 2LD²/(k + 2); pairwise on the simplex linear too, "
        "LD²/2 exp(-σk/(8LD²m)) with m coefficients in the solution",
        "R is L-smooth (σ-strongly convex for the second) on a set of diameter D",
        "Jaggi 2013; Garber & Meshi 2016",
    ),
    "InteriorPoint": Rate(
        "gap(k) <= (1 - 0.4/√N)^k gap(0) for N complementary pairs",
        "steps are short; the long predictor-corrector steps taken here do far better",
        "Wright 1997",
    ),
    "LBFGS": Rate(
        "linear with some factor, and in all that was observed " + LINEAR,
        CURVED,
        "Liu & Nocedal 1989",
    ),
    "MirrorDescent": Rate(
        "P(k) - P* <= L D(w*, w(0))/k; G √(D/2) (1 + Σ1/t)/Σt^(-1/2) with kinks",
        "L and G are measured in the norm of the divergence D",
        "Beck & Teboulle 2003",
    ),
    "MulticlassAscent": Rate(
        "gap(k) <= 0.3^k, for the additive loss times the number of rivals",
        "the working set holds every sample and is settled, no intercept",
        "Crammer & Singer 2001",
    ),
    "Newton": Rate(QUADRATIC, STEADY, "Kantorovich 1948"),
    "OrthantWise": Rate(
        "no factor is proved; in all that was observed " + LINEAR,
        CURVED + " but for an ℓ₁ penalty",
        "Andrew & Gao 2007",
    ),
    "Pegasos": Rate(
        "P(mean) - P* <= 2G²/(λ (k + 1)) after k steps, on average",
        "rows are no longer than R, G = 2R, no intercept",
        "Lacoste-Julien, Schmidt & Bach 2012",
    ),
    "PrimalDual": Rate(
        "P(k) - P* <= (‖w* - w(0)‖² L/τ + τ‖s* - s(0)‖²)/(2k), for the mean",
        "L is the largest eigenvalue of the second moments, τ the first pace",
        "Chambolle & Pock 2011",
    ),
    "ProximalGradient": Rate(
        "P(k) - P* <= 2L‖w(0) - w*‖²/(k + 1)²",
        "R is L-smooth; restarts only help",
        "Beck & Teboulle 2009",
    ),
    "ReweightedLeastSquares": Rate(QUADRATIC, STEADY, "Kantorovich 1948"),
    "SpectralGradient": Rate(
        "P(k) - P* <= (1 - 2c(1-c)σ/L)^k (P(0) - P*) with c = decrease",
        CURVED + ", window 1; linear for every window",
        "Raydan 1997; Dai 2002",
    ),
    "SpectralProjectedGradient": Rate(
        "P(k) - P* <= (1 - c(1-c)σ/L)^k (P(0) - P*) with c = decrease",
        "R is σ-strongly convex and L-smooth, window 1",
        "Birgin, Martínez & Raydan 2000; Karimi, Nutini & Schmidt 2016",
    ),
    "SteepestDescent": Rate(LINEAR, CURVED, "Nesterov 2004"),
    "StochasticGradient": Rate(
        "P(mean) - P* <= 2G²/(σ (k + 1)) after k steps, on average",
        "P is σ-strongly convex, steps are 2/(σ(t + 1)); log k/√k without",
        "Lacoste-Julien, Schmidt & Bach 2012",
    ),
    "VarianceReduced": Rate(
        "‖w(k) - w*‖² <= (1 - min{1/4n, σ/3L})^k (‖w(0) - w*‖² + 2n/(3L) B) after k "
        "steps, on average, B the divergence of R at w(0) from w*",
        "R is σ-strongly convex, each sample's risk L-smooth",
        "Defazio, Bach & Lacoste-Julien 2014",
    ),
}


def rate_of(solver: Solver | type[Solver]) -> Rate:
    """Return what theory promises of a solver.

    >>> from infimum.study.solvers import SteepestDescent
    >>> rate_of(SteepestDescent).promise
    'P(k) - P* <= (1 - σ/L)^k (P(0) - P*)'
    """
    kind = solver if isinstance(solver, type) else type(solver)
    if kind.__name__ not in _RATES:
        raise IncompatibleError(f"{kind.__name__} promises no rate of its own.")
    return _RATES[kind.__name__]
