"""``infimum rank``: who is best, from a table of games."""

from pathlib import Path
from typing import Annotated, Any

import typer

from infimum.cli.failures import guarded
from infimum.cli.sizes import MaxUnpacked
from infimum.cli.standard_input import table_or_path

__all__ = ["rank"]

_SHOWN = 20


@guarded
def rank(
    data: Annotated[Path, typer.Argument(help="Table of games, a row each.")],
    left: Annotated[str, typer.Option(help="Column of the one item.")],
    right: Annotated[str, typer.Option(help="Column of the other item.")],
    outcome: Annotated[
        str | None,
        typer.Option(
            help="Column of 1, 0, 0.5, win, loss, tie or the winner's name; "
            "left out, the left item won."
        ),
    ] = None,
    weight: Annotated[
        str | None, typer.Option(help="Column that counts equal games.")
    ] = None,
    *,
    ties: Annotated[str, typer.Option(help="half, davidson or rao_kupper.")] = "half",
    home: Annotated[
        bool, typer.Option("--home", help="Let the left side have an advantage.")
    ] = False,
    strength: Annotated[
        float, typer.Option(help="Penalty on scores; 0 is maximum likelihood.")
    ] = 0.0,
    out: Annotated[Path, typer.Option(help="Directory to write.")] = Path(
        "infimum-ranking"
    ),
    max_unpacked: MaxUnpacked = None,
) -> None:
    """Rank items by their games: scores, intervals, possible ranks, and a proof."""
    from infimum.evaluation.ranked_games import Columns, rank_games
    from infimum.persistence import save
    from infimum.report import write_ranking

    columns = Columns(left, right, outcome, weight)
    found = rank_games(
        table_or_path(data, max_unpacked),
        columns,
        ties=ties,
        home=home,
        strength=strength,
    )
    out.mkdir(parents=True, exist_ok=True)
    save(found.model, out / "ranking.infimum", extra=found.extra)
    page = write_ranking(found.result, out / "ranking.html")
    for line in _lines(found.result):
        typer.echo(line)
    typer.echo(f"\n  {page}")


def _lines(result: dict[str, Any]) -> list[str]:
    """Return the table of the first items, and the words about it."""
    from infimum.report import ranking_words

    items = result["items"]
    names = [row["name"][:40] for row in items[:_SHOWN]]
    width = max(4, *map(len, names))
    made = [f"{'place':>5}  {'item':<{width}}  {'Elo':>5}  95 % interval  ranks"]
    for place, (name, row) in enumerate(zip(names, items, strict=False), 1):
        ends = f"{row['low']:.0f} to {row['high']:.0f}"
        ranks = f"{row['best']}-{row['worst']}"
        made.append(
            f"{place:>5}  {name:<{width}}  {row['elo']:>5.0f}  {ends:<13}  {ranks}"
        )
    if len(items) > _SHOWN:
        made.append(f"       and {len(items) - _SHOWN} more")
    proof = result["proof"]
    verdict = "proved optimal" if proof["closed"] else "NOT proved optimal"
    gap = f"relative gap {proof['relative_gap']:.1e}, {verdict}"
    return [*made, "", *ranking_words(result), gap]
