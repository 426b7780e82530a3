"""``infimum recommend``: what to offer whom, from a table of ratings."""

from pathlib import Path
from typing import Annotated, Any

import typer

from infimum.cli.failures import guarded
from infimum.cli.sizes import MaxUnpacked
from infimum.cli.standard_input import table_or_path

__all__ = ["recommend"]

_SHOWN = 10


@guarded
def recommend(
    data: Annotated[Path, typer.Argument(help="Table of ratings, a row each.")],
    user: Annotated[str, typer.Option(help="Column of who rated.")],
    item: Annotated[str, typer.Option(help="Column of what was rated.")],
    rating: Annotated[
        str | None,
        typer.Option(help="Column of the rating; left out, a row says it was used."),
    ] = None,
    *,
    factors: Annotated[
        int | None,
        typer.Option(help="Numbers for each user and item; found if left out."),
    ] = None,
    strength: Annotated[
        float | None, typer.Option(help="Penalty on factors; chosen if left out.")
    ] = None,
    n: Annotated[int, typer.Option(help="Recommendations for each user.")] = 10,
    out: Annotated[Path, typer.Option(help="Directory to write.")] = Path(
        "infimum-recommendations"
    ),
    max_unpacked: MaxUnpacked = None,
) -> None:
    """Recommend items: lists for users, the error on unseen ratings, and a proof."""
    from infimum.evaluation.recommended_items import RatingColumns, recommend_table
    from infimum.persistence import save
    from infimum.report import write_recommendation

    found = recommend_table(
        table_or_path(data, max_unpacked),
        RatingColumns(user, item, rating),
        n=n,
        n_factors=factors,
        strength=strength,
    )
    out.mkdir(parents=True, exist_ok=True)
    save(found.model, out / "recommender.infimum", extra=found.extra)
    page = write_recommendation(found.result, out / "recommendations.html")
    for line in _lines(found.result):
        typer.echo(line)
    typer.echo(f"\n  {page}")


def _lines(result: dict[str, Any]) -> list[str]:
    """Return the lists of the first users, and the words about them."""
    from infimum.report import recommendation_words

    names = [row["user"][:30] for row in result["lists"][:_SHOWN]]
    width = max(4, *map(len, names))
    made = [f"{'user':<{width}}  recommended"]
    for name, row in zip(names, result["lists"], strict=False):
        advised = "; ".join(each["name"][:30] for each in row["items"][:3])
        made.append(f"{name:<{width}}  {advised}")
    left = result["users"] - len(names)
    if left > 0:
        made.append(f"{'':<{width}}  and lists of {left} more users")
    return [*made, "", *recommendation_words(result)]
