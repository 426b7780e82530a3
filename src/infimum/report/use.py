"""How to use the model: commands, five lines of Python, and a model card."""

import shlex
from typing import Any

from infimum.report.judged import judged
from infimum.report.numbers import count
from infimum.report.sentences import answer, learned_from

__all__ = ["use_words"]

Plain = dict[str, Any]

#: Kinds of columns by which rows can be told apart.
_IDENTIFYING = ("identifier",)

_MEANT = (
    "new rows from where the rows learned from came; nothing is promised of others, "
    "nor of what happens if people react to its answers"
)


def use_words(result: Plain) -> Plain:
    """Return commands, a script and the card of a model."""
    conformal = (result.get("evidence") or {}).get("conformal", {})
    promised = " --intervals" if conformal.get("limit") is not None else ""
    source = shlex.quote(result["data"]["source"])
    kept = _identifier(result)
    commands = [
        f"infimum predict model.infimum new.csv --out said.csv{promised}",
        f"infimum predict model.infimum new.csv --out said.csv{kept} --reasons 3",
    ]
    if result["proof"]:
        commands.append(f"infimum certify model.infimum {source}")
    wanted = ", intervals=True" if promised else ""
    python = (
        "from infimum import load\n"
        "from infimum.learn import predict_table\n\n"
        f'said = predict_table("model.infimum", "new.csv"{wanted})\n'
        'model = load("model.infimum")  # a scikit-learn pipeline\n'
        "print(model[-1])"
    )
    return {"commands": "\n".join(commands), "python": python, "card": _card(result)}


def _identifier(result: Plain) -> str:
    """Return the option that keeps a column by which rows can be told apart."""
    names = [
        column["name"]
        for column in result["data"]["columns"]
        if not column["used"] and column["kind"] in _IDENTIFYING
        if column["name"] != result["data"]["target"]
    ]
    return f" --keep {shlex.quote(names[0])}" if names else ""


def _proof(result: Plain) -> str:
    told = [
        each for each in answer(result) if each.startswith(("The fit is", "No convex"))
    ]
    return told[0] if told else "None"


def _card(result: Plain) -> list[tuple[str, str]]:
    data, choice = result["data"], result["choice"]
    number = judged(result)
    card = [
        ("Model", f"{choice['label']} ({choice['words']})"),
        ("Predicts", f"{data['target']}, as {result['goal'] or result['task']}"),
        (
            "Learned from",
            (
                f"{learned_from(data)} of {data['source']} "
                f"(SHA-256 {data['fingerprint'][:16]}…), on {result['created']}"
            ),
        ),
        ("Tested on", f"{count(data['test_rows'])} rows it had never seen"),
        ("Quality", f"{number.words()}, 95 % interval {number.interval()}"),
        ("Proof", _proof(result)),
        ("Meant for", _MEANT),
    ]
    roles = ", ".join(f"{name}: {value}" for name, value in result["options"].items())
    return [*card, ("Options", roles)] if roles else card
