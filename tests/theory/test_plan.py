"""``infimum plan``: rows of every bound, in a table and a picture."""

import numpy as np
import pytest

from infimum.errors import InvalidParameterError
from infimum.theory import ExactBinomial, Hoeffding, UnionBound, VCBound, plan


def test_the_plan_asks_every_bound():
    made = {each.method: each for each in plan(0.02, error_rate=0.1, vc=11).rows}
    assert made["Hoeffding"].rows == Hoeffding().sample_size(0.02, 0.05) == 4612
    assert made["exact binomial"].rows == ExactBinomial(0.1).sample_size(0.02, 0.05)
    assert made["VC bound"].rows == VCBound(11).sample_size(0.02, 0.05)
    assert made["VC bound"].kind == "training"
    assert made["normal approximation"].approximate
    assert made["exact binomial"].rows < made["Bernstein"].rows < made["Hoeffding"].rows


def test_many_models_and_no_error_rate():
    worst = {each.method: each.rows for each in plan(0.05, models=20).rows}
    law = UnionBound(Hoeffding(), 20)
    assert worst["Hoeffding"] == law.sample_size(0.05, 0.05)
    assert "VC bound" not in worst
    assert "exact binomial" not in worst  # it needs the rate
    assert plan(0.05).sentence.endswith("confidence (Hoeffding).")


def test_the_picture_falls_with_the_square():
    figure = plan(0.02, error_rate=0.1, vc=3).plot()
    assert len(figure.data) == 6
    hoeffding = next(each for each in figure.data if "Hoeffding" in each.name)
    ratio = hoeffding.y[0] / hoeffding.y[-1]
    assert ratio == pytest.approx((0.2 / 0.02) ** 2, rel=0.05)
    assert len(plan(0.5).plot().data[0].x) == len(plan(0.02).plot().data[0].x)


@pytest.mark.parametrize(
    "wrong",
    [
        {"within": 0.0},
        {"within": 1.5},
        {"within": 0.1, "confidence": 1.0},
        {"within": 0.1, "error_rate": 0.0},
        {"within": 0.1, "vc": -1},
        {"within": 0.1, "models": 0},
        {"within": np.nan},
    ],
)
def test_what_is_no_plan_is_refused(wrong):
    with pytest.raises(InvalidParameterError, match="plan's"):
        plan(**wrong)
