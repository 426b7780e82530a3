"""Values of parameters, drawn from what scikit-learn says that it accepts."""

from numbers import Integral

import numpy as np
from sklearn.utils import _param_validation as said

__all__ = ["accepted", "refused"]


def accepted(kind):
    """Return pairs of a parameter and a value that scikit-learn's class accepts."""
    return [
        (name, value)
        for name, constraints in _constraints(kind)
        for each in constraints
        for value in _inside(each)
    ]


def refused(kind):
    """Return pairs of a parameter and a value that scikit-learn's class refuses."""
    return [
        (name, value)
        for name, constraints in _constraints(kind)
        for value in [_BadType(), *_outside(constraints)]
        if not any(each.is_satisfied_by(value) for each in constraints)
    ]


class _BadType:
    """What no parameter is."""

    def __repr__(self):
        return "BadType()"


def _constraints(kind):
    for name, told in sorted(kind._parameter_constraints.items()):
        if told != "no_validation":
            open_ones = [each for each in told if not isinstance(each, said.Hidden)]
            yield name, [said.make_constraint(each) for each in open_ones]


#: Values of the kinds that are not intervals or lists of words.
_KINDS = {
    said._Booleans: [False, True, np.True_],
    said._VerboseHelper: [0, 1, 2, True, np.int64(1)],
    said._RandomStates: [0, np.int64(1), np.random.RandomState(2)],
    said._NoneConstraint: [None],
    said._CVObjects: [3, None],
}


def _inside(constraint):
    """Return values that satisfy a constraint, those of its edges among them."""
    if isinstance(constraint, said.Options):
        return sorted(constraint.options - constraint.deprecated, key=repr)
    if isinstance(constraint, said.Interval):
        return _of_interval(constraint)
    if isinstance(constraint, said._InstancesOf) and constraint.type is Integral:
        return [-1, 1, np.int64(2)]
    return _KINDS.get(type(constraint), [])


def _of_interval(interval):
    kind = np.int64 if interval.type is Integral else np.float64
    low, high = interval.left, interval.right
    ends = [low] * (interval.closed in ("left", "both"))
    ends += [high] * (interval.closed in ("right", "both"))
    middle = [each + 1 for each in [low] if each is not None]
    middle += [1, 2, 3] if kind is np.int64 else [0.25, 0.5, 0.9]
    found = [each for each in [*ends, *middle] if each is not None]
    found += [kind(each) for each in found[-1:]]
    return [each for each in found if interval.is_satisfied_by(each)]


def _outside(constraints):
    """Return a value that violates each constraint, beside numbers of other kinds."""
    found = ["no such word", float("nan")]
    for each in constraints:
        try:
            found.append(said.generate_invalid_param_val(each))
        except NotImplementedError:
            continue
    return found
