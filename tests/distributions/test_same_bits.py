"""Laws of wide vectors and their draws do not depend on the number of threads."""

import numpy as np
from threadpoolctl import threadpool_limits

from infimum.distributions import MultivariateNormal, Wishart
from infimum.distributions.sampling import Metropolis


def wide(points, scatter):
    law = MultivariateNormal(points[0], scatter)
    yield from (law.sample(500, random_state=0), law.log_density(points))
    yield MultivariateNormal.fit(points).covariance
    yield Wishart(200.0, scatter).sample(2, random_state=0)
    run = Metropolis(50, 300).sample(
        lambda x: -0.5 * (x**2).sum(axis=1), points[:4], random_state=0
    )
    yield run.values


def test_one_thread_and_two_draw_the_same(rng):
    points = rng.standard_normal((3000, 150))
    scatter = points.T @ points
    scatter = 0.5 * (scatter + scatter.T)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(list(wide(points, scatter)))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
