"""Domains of parameters: what lies in them, what is said, who declares them."""

from typing import ClassVar

import numpy as np
import pytest

from infimum.errors import InvalidParameterError
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_parameters,
    closed,
    or_none,
    positive,
    whole,
)


class Base:
    """Declares two domains."""

    _domains: ClassVar[Domains] = {"size": whole(1), "rate": besides(positive, "auto")}

    def __init__(self, size=1, rate="auto", kind=None):
        self.size, self.rate, self.kind = size, rate, kind


class Narrow(Base):
    """Narrows one of them and declares another."""

    _domains: ClassVar[Domains] = {
        "size": closed(2, 3),
        "kind": or_none(Choice(("a", "b"))),
    }


def test_values_besides_a_domain_are_known_by_what_they_are():
    domain = besides(positive, "auto", np.inf)
    assert all(value in domain for value in (1.0, "".join(["au", "to"]), float("inf")))
    assert not any(value in domain for value in ("none", 0.0, None, np.zeros(2), True))
    assert None in or_none(positive)
    assert str(domain) == str(positive)


def test_a_class_answers_for_its_bases_and_may_narrow_them():
    check_parameters(Base(size=1))
    check_parameters(Narrow(size=2, kind="a"))
    with pytest.raises(InvalidParameterError, match=r"^Narrow.size must be in \[2"):
        check_parameters(Narrow(size=1))
    with pytest.raises(InvalidParameterError, match=r"^Narrow.rate must be in \(0"):
        check_parameters(Narrow(size=2, rate=-1.0))
    with pytest.raises(InvalidParameterError, match=r"^Narrow.kind must be one of 'a'"):
        check_parameters(Narrow(size=2, kind="c"))


def test_a_subclass_without_a_parameter_is_not_asked_for_it():
    class Without(Base):
        def __init__(self, size):
            self.size = size

    check_parameters(Without(size=1))
