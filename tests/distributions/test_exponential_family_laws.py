"""What every exponential family must obey, found by import."""

import inspect
from itertools import pairwise

import numpy as np
import pytest

from infimum import distributions
from infimum.distributions import Categorical, ExponentialFamily
from tests.distributions.laws import FAMILIES, cases


def test_every_exported_exponential_family_is_among_the_cases():
    public = [getattr(distributions, name) for name in distributions.__all__]
    kinds = {
        cls
        for cls in public
        if inspect.isclass(cls)
        and issubclass(cls, ExponentialFamily)
        and not inspect.isabstract(cls)
    }
    known = {type(law) for law in FAMILIES}
    assert {cls.__name__ for cls in kinds - known} <= {"NumericalFamily"}


@cases(FAMILIES)
def test_the_density_is_that_of_its_exponential_family(law):
    y = law.sample(50, random_state=3)
    eta = law.natural
    log_density = law.log_base(y) + law.statistics(y) @ eta - law.log_partition(eta)
    assert law.log_density(y) == pytest.approx(log_density, rel=1e-9, abs=1e-9)
    again = law.of_natural(eta)
    assert again.log_density(y) == pytest.approx(law.log_density(y), rel=1e-9)


@pytest.mark.syllabus("S0A-134")
@cases(FAMILIES)
def test_derivatives_of_the_log_partition_are_moments(law):
    eta, step = law.natural, 1e-5
    axes = np.eye(len(eta)) * step
    slope = [
        (law.log_partition(eta + e) - law.log_partition(eta - e)) / (2 * step)
        for e in axes
    ]
    mean = law.mean_statistics(eta)
    assert mean == pytest.approx(np.array(slope), rel=1e-6, abs=1e-8)
    bend = [
        (law.mean_statistics(eta + e) - law.mean_statistics(eta - e)) / (2 * step)
        for e in axes
    ]
    covariance = law.statistics_covariance(eta)
    assert covariance == pytest.approx(np.array(bend), rel=1e-5, abs=1e-7)
    assert np.linalg.eigvalsh(covariance).min() > -1e-9 * np.abs(covariance).max()
    assert law.fisher_information(7) == pytest.approx(7 * covariance)
    statistics = law.statistics(law.sample(100_000, random_state=0))
    errors = np.sqrt(np.diag(covariance) / len(statistics))
    assert (np.abs(statistics.mean(axis=0) - mean) <= 5 * errors).all()


@pytest.mark.syllabus("S0A-150")
@cases(FAMILIES)
def test_the_domain_of_the_log_partition_is_convex_and_so_is_it(law, rng):
    eta = law.natural
    ends = [eta * (1 + 0.3 * rng.uniform(-1, 1, len(eta))) for _ in range(60)]
    inside = [point for point in ends if np.isfinite(law.log_partition(point))]
    assert len(inside) > 1
    for first, second in pairwise(inside):
        for share in (0.2, 0.5, 0.9):
            between = law.log_partition(share * first + (1 - share) * second)
            above = share * law.log_partition(first)
            above += (1 - share) * law.log_partition(second)
            assert between <= above + 1e-9 * (1 + abs(above))


@pytest.mark.syllabus("S0A-152")
@cases(FAMILIES)
def test_the_likeliest_law_matches_the_moments(law):
    y = law.sample(200, random_state=3)
    best = type(law).fit(y)
    average = best.statistics(y).mean(axis=0)
    size = np.abs(average).max()
    assert best.moment_residual(y) <= 1e-6 * size
    assert law.moment_residual(y) > best.moment_residual(y)
    if not isinstance(law, Categorical):
        assert best.natural != pytest.approx(law.natural, rel=1e-4)
