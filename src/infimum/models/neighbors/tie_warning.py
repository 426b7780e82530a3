"""`TieWarning`: votes of neighbours can be equal."""

__all__ = ["TieWarning"]


class TieWarning(UserWarning):
    """An even number of neighbours votes on two classes, so that votes can tie."""
