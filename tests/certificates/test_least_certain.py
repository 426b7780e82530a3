"""Of several proofs the one that says least stands for all."""

import numpy as np
import pytest

from infimum.certificates import Certificate, least_certain
from infimum.models.linear import LinearSVC

WIDE = Certificate(1.0, 0.5, 1.0, 0.6)
FINE = Certificate(1.0, 0.9, 1.0, 0.01)


@pytest.mark.parametrize(
    ("proofs", "place"),
    [([WIDE, FINE], 1), ([FINE, WIDE], 0), ([WIDE], 0)],
)
def test_an_open_proof_is_told_before_a_wider_gap_that_was_allowed(proofs, place):
    assert WIDE.closed
    assert not FINE.closed
    assert least_certain(proofs) == place


def test_of_closed_proofs_the_widest_gap_stands_for_all():
    near = Certificate(1.0, 0.9999, 1.0, 0.6)
    assert least_certain([near, WIDE]) == 1


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("seed", range(8))
def test_a_model_is_proved_if_each_of_its_problems_is(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((60, 5)) * 10.0 ** np.arange(5), rng.integers(0, 3, 60)
    model = LinearSVC(loss="hinge", penalty="l1", tol=1e-12).fit(X, y)
    proofs = model.certificates_
    assert len(proofs) == 3
    assert model.certificate_.closed == all(proof.closed for proof in proofs)
