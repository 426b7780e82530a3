"""When dual ascent looks at its gap again."""

import numpy as np

from infimum.solvers.dual_coordinate_ascent import LONGEST_WAIT, _Outlook


def test_a_gap_that_hardly_shrinks_is_waited_for_without_a_warning():
    outlook = _Outlook(1e-6, 1)
    outlook.note(10, 1.0)
    with np.errstate(all="raise"):
        outlook.note(20, np.nextafter(1.0, 0.0))
    assert outlook.next_check == 20 + LONGEST_WAIT


def test_a_gap_that_halves_is_looked_at_again_when_it_should_be_closed():
    outlook = _Outlook(0.25, 1)
    outlook.note(1, 1.0)
    outlook.note(2, 0.5)
    assert outlook.next_check == 4
