"""The criteria of group fairness: three families, and the many names in use."""

from dataclasses import dataclass

__all__ = ["CRITERIA", "FAMILIES", "Criterion"]

FAMILIES = {
    "independence": "decisions do not depend on the group",
    "separation": "decisions do not depend on the group, given the truth",
    "sufficiency": "the truth does not depend on the group, given the decision",
}


@dataclass(frozen=True)
class Criterion:
    """A named criterion, the family it belongs to, and whether it says as much.

    Attributes
    ----------
    family : {"independence", "separation", "sufficiency"}
    relation : {"equivalent", "relaxation"}
        To the family's own statement.
    reference : str
    rates : tuple of str
        The rates that must be equal in all groups, for binary decisions; empty where
        scores or strata are needed.
    """

    family: str
    relation: str
    reference: str
    rates: tuple[str, ...] = ()


_ODDS = ("true positive rate", "false positive rate")
_USE = ("positive predictive value", "false omission rate")

#: The names in the literature, after Barocas, Hardt and Narayanan.
CRITERIA = {
    "statistical parity": Criterion(
        "independence", "equivalent", "Dwork et al. 2011", ("selection rate",)
    ),
    "group fairness": Criterion(
        "independence", "equivalent", "Dwork et al. 2011", ("selection rate",)
    ),
    "demographic parity": Criterion(
        "independence", "equivalent", "Zafar et al. 2017", ("selection rate",)
    ),
    "Darlington (4)": Criterion(
        "independence", "equivalent", "Darlington 1971", ("selection rate",)
    ),
    "conditional statistical parity": Criterion(
        "independence", "relaxation", "Corbett-Davies et al. 2017"
    ),
    "equalised odds": Criterion("separation", "equivalent", "Hardt et al. 2016", _ODDS),
    "conditional procedure accuracy": Criterion(
        "separation", "equivalent", "Berk et al. 2017", _ODDS
    ),
    "avoiding disparate mistreatment": Criterion(
        "separation", "equivalent", "Zafar et al. 2017", _ODDS
    ),
    "equal opportunity": Criterion(
        "separation", "relaxation", "Hardt et al. 2016", ("true positive rate",)
    ),
    "balance for the negative class": Criterion(
        "separation", "relaxation", "Kleinberg et al. 2016"
    ),
    "balance for the positive class": Criterion(
        "separation", "relaxation", "Kleinberg et al. 2016"
    ),
    "predictive equality": Criterion(
        "separation", "relaxation", "Chouldechova 2016", ("false positive rate",)
    ),
    "equalised correlations": Criterion(
        "separation", "relaxation", "Woodworth et al. 2017"
    ),
    "Darlington (3)": Criterion("separation", "relaxation", "Darlington 1971"),
    "Cleary model": Criterion("sufficiency", "equivalent", "Cleary 1966", _USE),
    "conditional use accuracy": Criterion(
        "sufficiency", "equivalent", "Berk et al. 2017", _USE
    ),
    "calibration within groups": Criterion(
        "sufficiency", "equivalent", "Chouldechova 2016", _USE
    ),
    "predictive parity": Criterion(
        "sufficiency",
        "relaxation",
        "Chouldechova 2016",
        ("positive predictive value",),
    ),
    "Darlington (1), (2)": Criterion("sufficiency", "relaxation", "Darlington 1971"),
}
