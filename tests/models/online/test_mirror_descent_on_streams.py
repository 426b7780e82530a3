"""Online convex optimisation: regret against the best point, below its bounds."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.certificates import convex_regret_bound, strongly_convex_regret_bound
from infimum.errors import DataError, InvalidParameterError
from infimum.models.online import (
    AdaGrad,
    EntropyMirror,
    EuclideanMirror,
    FollowTheRegularizedLeader,
    OnlineMirrorDescent,
    PNormMirror,
)

MIRRORS = [EuclideanMirror(2.0), EntropyMirror(), PNormMirror(1.5), PNormMirror(2.0)]
every_mirror = pytest.mark.parametrize("mirror", MIRRORS, ids=str)


def inside(mirror, rng, d=4):
    w = rng.uniform(0.1, 1.0, size=d)
    return mirror.project(w if isinstance(mirror, EntropyMirror) else w - 0.5)


@pytest.mark.syllabus("S0B-072", "S0B-075", "S0B-076")
@every_mirror
def test_a_mirror_supplies_what_the_assumptions_ask(mirror, rng):
    for _ in range(20):
        w, other = inside(mirror, rng), inside(mirror, rng)
        there = mirror.inverse_gradient(mirror.gradient(w))
        np.testing.assert_allclose(there, w, atol=1e-10)
        apart = mirror.divergence(w, other)
        order = 1 if isinstance(mirror, EntropyMirror) else getattr(mirror, "order", 2)
        norm = np.linalg.norm(w - other, order)
        assert 0.5 * mirror.modulus * norm**2 <= apart + 1e-12
        assert apart <= mirror.diameter
    assert EuclideanMirror(3.0).diameter == 2 * 3.0**2
    corner = np.array([3.0, 0.0])
    assert EuclideanMirror(3.0).divergence(corner, -corner) == 2 * 3.0**2
    w, other = inside(EntropyMirror(), rng), inside(EntropyMirror(), rng)
    relative_entropy = (w * np.log(w / other)).sum()
    assert EntropyMirror().divergence(w, other) == pytest.approx(relative_entropy)


@pytest.mark.syllabus("S0B-073", "S0B-074")
@pytest.mark.parametrize("mirror", MIRRORS[:2], ids=str)
def test_projections_are_nearest_and_obey_pythagoras(mirror, rng):
    for _ in range(30):
        outside = rng.uniform(0.5, 4.0, size=4)
        nearest = mirror.project(outside)
        w = inside(mirror, rng)
        before = mirror.divergence(w, outside)
        through = mirror.divergence(w, nearest) + mirror.divergence(nearest, outside)
        assert before >= through - 1e-10
        assert mirror.divergence(nearest, outside) <= before + 1e-12


@pytest.mark.syllabus("S0B-077", "S0B-078", "S0B-079")
def test_special_cases_are_projected_steps_and_exponentiated_gradients(rng):
    plain = OnlineMirrorDescent(EuclideanMirror(1.0), 3, schedule="constant", step=0.3)
    shares = OnlineMirrorDescent(EntropyMirror(), 3, schedule="constant", step=0.3)
    w, p = np.zeros(3), np.full(3, 1 / 3)
    for slope in rng.normal(size=(30, 3)):
        w = w - 0.3 * slope
        w = w / max(1.0, np.linalg.norm(w))
        p = p * np.exp(-0.3 * slope)
        p = p / p.sum()
        np.testing.assert_allclose(plain.learn(0.0, slope).point, w, atol=1e-12)
        np.testing.assert_allclose(shares.learn(0.0, slope).point, p, atol=1e-12)


@pytest.mark.syllabus("S0B-080")
def test_order_2_of_the_p_norms_is_the_ordinary_perceptron(rng):
    from infimum.models.online import Perceptron

    X, y = rng.normal(size=(60, 4)), rng.choice([-1.0, 1.0], size=60)
    player = OnlineMirrorDescent(PNormMirror(2.0), 4, schedule="constant")
    for row, label in zip(X, y, strict=True):
        wrong = label * (row @ player.point) <= 0
        player.learn(float(wrong), -label * row * wrong)
    model = Perceptron(fit_intercept=False).partial_fit(X, y, classes=[-1, 1])
    np.testing.assert_allclose(player.point, model.coef_[0], atol=1e-10)
    assert player.incurred == model.mistakes_[0]


@pytest.mark.syllabus("S0B-082")
@every_mirror
def test_every_step_makes_the_progress_it_owes(mirror, rng):
    player = OnlineMirrorDescent(mirror, 4, step=0.2)
    w = inside(mirror, rng)
    for slope in rng.normal(size=(40, 4)):
        here = player.point
        eta = 0.2 / np.sqrt(len(player.steps) + 1)
        after = player.learn(0.0, slope).point
        owed = eta * (slope @ (here - w))
        slack = eta**2 * mirror.dual_norm(slope) ** 2 / (2 * mirror.modulus)
        left = mirror.divergence(w, after)
        assert left <= mirror.divergence(w, here) - owed + slack + 1e-9


def least(losses, d, radius):
    ball = {"type": "ineq", "fun": lambda w: radius**2 - w @ w}
    return minimize(losses, np.full(d, 0.01), constraints=ball, tol=1e-10).x


@pytest.mark.syllabus("S0B-071", "S0B-083", "S0B-085")
@pytest.mark.parametrize("adverse", [False, True])
def test_convex_losses_cost_a_root_of_the_rounds(adverse, rng):
    player, slopes = OnlineMirrorDescent(EuclideanMirror(1.0), 3), []
    for _ in range(400):
        slope = rng.normal(size=3)
        if adverse:
            slope = slope * np.sign(slope @ player.point + 1e-9)
        slope /= np.linalg.norm(slope)
        slopes.append(slope)
        player.learn(slope @ player.point, slope)
    total = np.sum(slopes, axis=0)
    best = -total / np.linalg.norm(total)
    proof = player.regret(best, total @ best)
    assert proof.holds
    assert proof.bound <= convex_regret_bound(2.0, 1.0, 400) + 1e-9
    found = least(lambda w: total @ w, 3, 1.0)
    assert total @ found == pytest.approx(total @ best, rel=1e-4)


@pytest.mark.syllabus("S0B-081", "S0B-084")
@pytest.mark.parametrize("rounds", [10, 100, 1000])
def test_strongly_convex_losses_cost_a_logarithm(rounds, rng):
    player = OnlineMirrorDescent(EuclideanMirror(1.0), 2, schedule="inverse")
    centres = rng.uniform(-0.5, 0.5, size=(rounds, 2))
    for centre in centres:
        lack = player.point - centre
        player.learn(0.5 * lack @ lack, lack)  # 1-strongly convex
    best = centres.mean(axis=0)
    paid = 0.5 * ((best - centres) ** 2).sum()
    proof = player.regret(best, paid, strength=1.0)
    assert proof.holds
    steepest = player.steepest
    assert proof.regret <= strongly_convex_regret_bound(steepest, 1.0, rounds)
    assert proof.bound == pytest.approx(
        steepest**2 / 2 * sum(1 / t for t in range(1, rounds + 1))
    )


def test_multiplied_shares_pay_the_logarithm_of_the_dimension(rng):
    player = OnlineMirrorDescent(EntropyMirror(), 50, step=0.1, schedule="constant")
    slopes = rng.uniform(-1, 1, size=(300, 50)) - 0.2 * np.eye(50)[7]
    for slope in slopes:
        player.learn(slope @ player.point, slope)
    best = np.eye(50)[slopes.sum(axis=0).argmin()]
    proof = player.regret(best, slopes.sum(axis=0).min())
    assert proof.holds
    assert proof.bound <= np.log(50) / 0.1 + 0.05 * 300 * 1.2**2


@pytest.mark.parametrize("adverse", [False, True])
def test_leaders_and_own_steps_stay_below_their_bounds(adverse, rng):
    leader, own = FollowTheRegularizedLeader(5, rate=0.05), AdaGrad(5)
    total = {leader: np.zeros(5), own: np.zeros(5)}
    for _ in range(300):
        slope = rng.normal(size=5) * [1, 1, 1, 0.01, 0]
        for player in (leader, own):
            turn = np.sign(slope @ player.point + 1e-9) if adverse else 1.0
            player.learn(turn * slope @ player.point, turn * slope)
            total[player] += turn * slope
    best = -total[leader] / np.linalg.norm(total[leader])
    assert leader.regret(best, total[leader] @ best).holds
    assert own.regret(-np.abs(total[own]).sum()).holds


def test_settings_outside_their_domain_are_refused():
    with pytest.raises(InvalidParameterError, match="radius"):
        EuclideanMirror(0.0)
    player = OnlineMirrorDescent(EuclideanMirror(), 2, step=2.0).learn(0.0, np.ones(2))
    with pytest.raises(DataError, match="first step"):
        player.regret(np.zeros(2), 0.0, strength=1.0)
