"""Problems of the adversary that once refuted a proof: none of them does any more."""

import pytest

from benchmarks.adversary.attack import attack

KERNELS = ("kernel losses", "kernels of any loss")
#: Seed and families; what was wrong is said beside it.
ONCE = [
    (160122, None),  # sparse Gaussian kernel values far from 0
    (160161, None),  # the risk of a factor's point, told of other coefficients
    (160385, None),  # a bound for a factor, above the optimum of the kernel
    (160391, None),  # closed on a factor, open on the kernel
    (757, KERNELS),  # the auditor's kernel matrix beside a constant column of 1e6
    (161399, None),  # a bound on a factor above the risk of the stored model
    (163969, None),  # a risk of sparse kernel values far from 0
    # Nothing to gain, and a gap that was closed by its own slack:
    *((seed, None) for seed in (160256, 160315, 160413, 160667, 160856, 162602)),
    *((seed, None) for seed in (161434, 162046, 162237, 162891)),
    # Forged points without a risk, whose slopes were taken without their rounding:
    *((seed, None) for seed in (162484, 160870, 160601, 162876, 161131, 164795)),
    # Closed at a point that rounding does not store, open under `certify`:
    *((seed, None) for seed in (160353, 161302, 161348, 160615, 162911, 164943)),
    (163202, None),  # scores of large columns: other slopes, a wider gap
    (404286, None),  # a joint scale, proved in single precision
    (163367, None),  # columns centred in single precision under a proof in double
    *((seed, None) for seed in (163294, 163824)),  # entropies cancel in a deviance
    # A rounding of targets that the loss never reads, where there is nothing to gain:
    *((seed, None) for seed in (300307, 300411, 300487, 300783)),
    (300202, None),  # a null model that a penalty forbids, without its best intercept
    (310207, None),  # a certainty of exp(-30), and so something left to gain
    *((seed, None) for seed in (300500, 320551)),  # closed at fit, open under `certify`
    (403491, None),  # slopes of rounding, beside the least conceivable risk
    (330085, None),  # correlations of 1e-37 that could not be balanced
    (910498, None),  # slopes a little beyond their domain, of a free direction
    (920560, None),  # a column of no length beside a free direction
    (961214, None),  # slopes of the method kept, where those at the point had proved
    (971289, None),  # a kernel's scores, rounded otherwise than those of its factor
    (300622, None),  # the stored intercept, computed with the rounding of its terms
    (300700, None),  # the auditor's kernel matrix of squares that cancel
    (300789, None),  # a path in single precision, proved before it was rounded
    (310178, None),  # scores of one sample that are rounded each by itself
    # Weights that were changed after the fit, and a share of samples that they change:
    *((seed, ("NuSVC", "NuSVR")) for seed in (3, 35)),
    # Foreign exceptions:
    *((seed, None) for seed in (160139, 163162, 160831, 162767, 162304)),
]


@pytest.mark.parametrize(("seed", "families"), ONCE)
def test_a_proof_that_was_refuted_is_no_longer(seed, families):
    report = attack(seed, families)

    assert report["findings"] == []
    assert report["closed"] + report["open"] + report["refused"] > 0
