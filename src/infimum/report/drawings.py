"""All figures of a report, by name, each with the table of its numbers."""

from collections.abc import Mapping
from typing import Any

from infimum.report import figures
from infimum.report.figures import Figure

__all__ = ["draw_all", "draw_labels", "with_numbers"]


def draw_all(
    result: dict[str, Any], contender: dict[str, Any] | None
) -> dict[str, Figure]:
    """Return the figures that the result has something to show for."""
    evidence = result.get("evidence") or {}
    target = result["data"]["target"]
    drawn = {
        "score_path": figures.score_path(result, contender) if contender else None,
        "weight_path": figures.weight_path(result, contender) if contender else None,
        "gap": figures.gap_over_time(result),
        "weights": figures.weight_bars(result),
        "roc": figures.roc(result),
        "calibration": figures.calibration(result),
        "points": figures.predicted_and_true(result),
        "histogram": figures.residual_histogram(result),
        "guarantees": figures.guarantee_reach(evidence),
        "conformal": figures.conformal_answers(evidence, target),
        "costs": figures.cost_curve(evidence),
        "learning_curve": figures.learning_curve(evidence),
        "importance": figures.column_importance(evidence),
        **_effects(evidence),
        **_shares(evidence),
        **_groups(evidence),
        **_asked(evidence),
    }
    return with_numbers(drawn)


def draw_labels(result: dict[str, Any]) -> dict[str, Figure]:
    """Return the figures about a model of several labels."""
    evidence = result.get("evidence") or {}
    drawn = {
        "label_errors": figures.label_errors(result),
        "guarantees": figures.guarantee_reach(evidence),
        "conformal": figures.conformal_answers(evidence, ""),
        "importance": figures.column_importance(evidence),
        **_groups(evidence),
        **_asked(evidence),
    }
    return with_numbers(drawn)


def with_numbers(drawn: Mapping[str, Figure | None]) -> dict[str, Figure]:
    """Return the figures that are there, with their table and a sentence about it."""
    return {
        name: {
            **each,
            "table": figures.tabulated(each),
            "summary": figures.described(each),
        }
        for name, each in drawn.items()
        if each
    }


def _effects(evidence: dict[str, Any]) -> dict[str, Figure | None]:
    told = evidence.get("effects", {})
    return {
        f"effect_{place}": figures.column_effect(each, told["of"])
        for place, each in enumerate(told.get("columns", []))
    }


def _shares(evidence: dict[str, Any]) -> dict[str, Figure | None]:
    told = evidence.get("examples", {}).get("shapley", {})
    return {
        f"shares_{place}": figures.answer_shares(each, told["of"])
        for place, each in enumerate(told.get("rows", []))
    }


def _asked(evidence: dict[str, Any]) -> dict[str, Figure | None]:
    return {
        f"asked_{place}_{number}": figures.answer_shares(told, told["of"])
        for place, row in enumerate(evidence.get("chosen", {}).get("rows", []))
        for number, told in enumerate(each["shapley"] for each in row["answers"])
        if "shares" in told
    }


def _groups(evidence: dict[str, Any]) -> dict[str, Figure | None]:
    drawn: dict[str, Figure | None] = {}
    for place, each in enumerate(evidence.get("fairness", {}).get("columns", [])):
        drawn[f"rates_{place}"] = figures.rates_by_group(each)
        drawn[f"price_{place}"] = figures.fairness_price(each)
    return drawn
