"""The menu of the page: its sections under what people look for, in four groups."""

from collections.abc import Collection

__all__ = ["menu"]

#: Groups with the sections that may be there: place on the page and name in the menu.
_GROUPS: dict[str, tuple[tuple[str, str], ...]] = {
    "Result": (
        ("main", "Answer"),
        ("asked", "Your rows"),
        ("beside", "Readable model"),
        ("use", "Use it"),
    ),
    "Evidence": (
        ("exam", "Test"),
        ("bound", "Guarantees"),
        ("conformal", "Uncertainty"),
        ("cutoffs", "Earlier times"),
        ("costs", "Costs"),
        ("importance", "Features"),
        ("weights", "Weights"),
        ("effects", "Effects"),
        ("examples", "Individual rows"),
        ("curve", "More rows?"),
    ),
    "Fairness": (("fairness", "Groups"),),
    "Technical": (
        ("leaderboard", "Models"),
        ("path", "Settings"),
        ("certificate", "Optimality proof"),
        ("energy", "Energy"),
        ("data", "Data"),
        ("again", "Reproduce"),
    ),
}


def menu(present: Collection[str]) -> list[tuple[str | None, str]]:
    """Return the links of the sections on the page, each group behind its name.

    Examples
    --------
    >>> menu({"main", "data"})
    [(None, 'Result'), ('main', 'Answer'), (None, 'Technical'), ('data', 'Data')]
    """
    links: list[tuple[str | None, str]] = []
    for group, sections in _GROUPS.items():
        there = [each for each in sections if each[0] in present]
        links += [(None, group)] if there else []
        links += there
    return links
