"""The page: a result in, the text of one self-contained HTML file out."""

import json
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from infimum.errors import DataError
from infimum.learn import read_result
from infimum.persistence.replacement import replacing
from infimum.report import figures, numbers
from infimum.report.asked import asked_title, rows_to_explain
from infimum.report.costs import cost_words
from infimum.report.drawings import draw_all, draw_labels, with_numbers
from infimum.report.edited import believing
from infimum.report.findings import energy_title, findings, power_range, span
from infimum.report.intervals import ends_of
from infimum.report.menu import menu
from infimum.report.more_rows import curve_words, cutoff_words
from infimum.report.multilabel import label_rows, labels_title, multilabel_tiles
from infimum.report.names import cut, isolated, stage_words
from infimum.report.novelty import novelty_tiles, strange_rows, strange_title
from infimum.report.proofs import certificate_words
from infimum.report.quantiles import wanted_quantile
from infimum.report.rivals import (
    beside_title,
    blend_words,
    champion_errors,
    champion_words,
)
from infimum.report.sentences import (
    answer,
    heading,
    nested_words,
    titles,
)
from infimum.report.steadiness import weight_errors
from infimum.report.tables import confusion, leaderboard, reproduction
from infimum.report.tiles import tiles
from infimum.report.treated import treated
from infimum.report.use import use_words

__all__ = ["render", "render_template", "write_report"]


def render(result: dict[str, Any]) -> str:
    """Return the report of a plain result as the text of one HTML file.

    The file needs no network: style, script and figures are inside. Whatever comes
    from the data (column names, labels) is shown as text, never run.
    """
    if result.get("goal") == "novelty":
        return _render_novelty(result)
    if result.get("goal") == "multilabel":
        return _render_labels(result)
    contender = _contender_result(result)
    present = draw_all(result, contender)
    everywhere = _everywhere(result)
    headings = findings(result)
    return render_template(
        "report.html.j2",
        present,
        **everywhere,
        sections=_menu(result, everywhere, headings, present, contender),
        use=use_words(result),
        costs=cost_words(result),
        cutoffs=cutoff_words(result),
        curve=curve_words(result),
        contender=contender,
        tiles=tiles(result),
        heading=heading(result),
        quantile=wanted_quantile(result),
        titles={**titles(result), **headings},
        certificate=certificate_words(result),
        confusion=confusion(result),
        nested=nested_words(result),
        champion=champion_words(result),
        champion_errors=champion_errors(result),
        blend=blend_words(result),
        contender_is_path=bool(contender) and figures.is_path(contender or {}),
        evidence=result.get("evidence") or {},
        auc_ends=ends_of(result, "auc"),
        weights_known=bool(weight_errors(result)),
    )


def _menu(
    result: dict[str, Any],
    everywhere: dict[str, Any],
    headings: dict[str, str],
    drawn: dict[str, figures.Figure],
    contender: dict[str, Any] | None,
) -> list[tuple[str | None, str]]:
    """Return the links to the sections that are on the page."""
    evidence = result.get("evidence") or {}
    shown = {
        "asked": everywhere["asked_title"],
        "beside": everywhere["beside"],
        "path": contender,
        "conformal": "conformal" in evidence,
        "costs": "costs" in evidence,
        "cutoffs": "cutoffs" in evidence,
        "curve": "learning_curve" in evidence,
        "importance": "importance" in evidence,
        "weights": "weights" in drawn or result["proof"] or not evidence,
        "effects": "effects" in headings,
        "examples": "examples" in headings,
        "fairness": "fairness" in headings,
        "energy": everywhere["energy_title"],
    }
    always = {"main", "use", "exam", "bound", "leaderboard", "certificate", "data"}
    return menu({*always, "again", *(name for name, there in shown.items() if there)})


def _render_novelty(result: dict[str, Any]) -> str:
    drawn = {"p_values": figures.p_value_histogram(result)}
    return render_template(
        "novelty.html.j2",
        with_numbers(drawn),
        **_everywhere(result),
        tiles=novelty_tiles(result),
        strange=strange_rows(result),
        strange_title=strange_title(result),
        champion=champion_words(result),
        champion_errors=None,
        blend="",
    )


def _render_labels(result: dict[str, Any]) -> str:
    evidence = result.get("evidence") or {}
    return render_template(
        "multilabel.html.j2",
        draw_labels(result),
        **_everywhere(result),
        heading=heading(result),
        tiles=multilabel_tiles(result),
        labels=label_rows(result),
        labels_title=labels_title(result),
        titles=findings(result),
        champion=champion_words(result),
        champion_errors=champion_errors(result),
        blend=blend_words(result),
        evidence=evidence,
    )


def _everywhere(result: dict[str, Any]) -> dict[str, Any]:
    """Return what the page of every task shows."""
    energy = (result.get("evidence") or {}).get("energy", {})
    title = energy_title(energy)
    return {
        "result": result,
        "answer": answer(result),
        "folds_run": _folds_run(result),
        "leaderboard": leaderboard(result),
        "reproduction": reproduction(result),
        "treated": treated(result),
        "beside": beside_title(result),
        "asked": rows_to_explain(result),
        "asked_title": asked_title(result),
        "energy_title": title,
        "energy_range": power_range(energy) if title else "",
    }


def _folds_run(result: dict[str, Any]) -> str:
    """Say how many folds the chosen contender, or the best, has run, if not all."""
    folds = {
        contender["name"]: contender["folds"] for contender in result["contenders"]
    }
    choice, whole = result["choice"], result["data"]["folds"]
    ran = folds.get(choice["name"], folds.get(choice["best_name"], whole))
    return f", of which {ran} ran in time" if ran < whole else ""


def render_template(name: str, drawn: dict[str, figures.Figure], **values: Any) -> str:
    """Return a page of the theme with its figures, style and script inside."""
    page = _template(name).render(
        **values,
        figures=drawn,
        figures_json=_as_script(drawn),
        plotly=Markup(get_plotlyjs()) if drawn else "",
        style=_theme("style.css"),
        script=_theme("views.js") + _theme("draw.js") + _theme("tables.js"),
    )
    return str(page)


def write_report(run: str | PathLike[str]) -> Path:
    """Write ``report.html`` of a run again, from its ``result.json`` alone."""
    folder = Path(run)
    if not folder.is_dir():
        raise DataError(
            f"{folder} is no directory; give one that `infimum learn` wrote."
        )
    place = folder / "report.html"
    result = read_result(folder)
    with believing(folder / "result.json"):
        content = render(result).encode("utf-8")
    with replacing(place) as handle:
        handle.write(content)
    return place


def _template(name: str) -> Any:
    environment = Environment(
        loader=PackageLoader("infimum.report", "theme"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_tied,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {name: getattr(numbers, name) for name in numbers.__all__}
    environment.filters |= {"span": span, "cut": cut, "stage_words": stage_words}
    return environment.get_template(name)


def _tied(value: Any) -> Any:
    """Tie percent signs to their numbers, mark off words from right to left.

    Scripts stay as they are.
    """
    if type(value) is not str:
        return value
    return isolated(value.replace(" %", "\u00a0%"))


def _contender_result(result: dict[str, Any]) -> dict[str, Any] | None:
    """Return the path of the chosen contender; None if it has none."""
    by_name = {contender["name"]: contender for contender in result["contenders"]}
    chosen = by_name.get(result["choice"]["name"], {"values": ()})
    return dict(chosen) if len(chosen["values"]) > 1 else None


def _as_script(drawn: dict[str, figures.Figure]) -> Markup:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(drawn, ensure_ascii=True, allow_nan=False)
    safe = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup(safe)


def _theme(name: str) -> Markup:
    folder = files("infimum.report") / "theme"
    return Markup((folder / name).read_text(encoding="utf-8"))
