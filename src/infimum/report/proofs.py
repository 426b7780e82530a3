"""What is proved of the chosen model, or of the best one beside it: the sentences."""

from typing import Any

from infimum.report.numbers import figure, power

__all__ = ["certificate_words", "certified_beside"]

Plain = dict[str, Any]


def certificate_words(result: Plain) -> str:
    """Explain the certificate in two sentences, with this model's numbers."""
    proof = result["proof"]
    if not proof:
        return (
            f"{result['choice']['label']} does not minimise a convex risk, so there is "
            "no duality gap that could prove its fit optimal; what speaks for it are "
            f"the rows it has not seen.{_proved_beside(result)}"
        )
    reached, floor = figure(proof["primal"], 10), figure(proof["dual"], 10)
    share = f"at most a share of {power(proof['relative_gap'])}"
    share = share if proof["relative_gap"] else "nothing"
    return (
        f"The model reaches a penalised training risk of {reached}, and convex duality "
        f"shows that no weights whatsoever can go below {floor}. Another solver could "
        f"gain {share} of what there is to gain, and the command "
        "“infimum certify” checks this again from the model file and the data alone."
    )


def _proved_beside(result: Plain) -> str:
    proved = [contender for contender in result["contenders"] if contender["proof"]]
    if not proved:
        return ""
    said = certified_beside(result)
    return (
        f" {said}{' ' if said else ''}"
        "The convex contenders that were fitted to all rows have their proofs below."
    )


def certified_beside(result: Plain) -> str:
    """Say which model is proved optimal beside a winner that cannot be; or nothing."""
    closed = [c for c in result["contenders"] if c["proof"] and c["proof"]["closed"]]
    closed = [c for c in closed if c["name"] != "baseline"]
    if result["proof"] or not closed:
        return ""
    sign = -1 if result["criterion"]["greater_is_better"] else 1
    best = min(closed, key=lambda each: sign * (each["scores"][each["pick"]] or 0))
    score = f"{result['criterion']['label']} {figure(best['scores'][best['pick']])}"
    left = best["proof"]["relative_gap"]
    gain = f"a share of {power(left)} of what there is to gain" if left else "nothing"
    return (
        f"Beside it stands {best['label']} ({score} on the folds), proved optimal: no "
        f"solver, seed or machine can gain more than {gain}, so what it cannot do is "
        "the data's fault and not the fit's."
    )
