"""Draw docs/pictures/symmetric.svg: one round of symmetric 2-opt on a row of eleven cities."""

from __future__ import annotations

from pathlib import Path

PLACES, GAP, LEFT = 11, 62, 60
ACCEPTED = {1, 3}
BLUE, RED, GREY = "#2b6cb0", "#c53030", "#a0aec0"


def main() -> None:
    """Write the picture beside this file."""
    before = list("ABCDEFGHIJK")
    after, swapped = list(before), set()
    odd = False
    for q in range(PLACES // 2):
        odd ^= q in ACCEPTED
        if odd and q + 1 < PLACES // 2:
            i, k = q + 1, PLACES - 2 - q
            after[i], after[k] = after[k], after[i]
            swapped |= {i, k}
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 470" font-family="sans-serif" font-size="15">',
        '<rect width="760" height="470" fill="white"/>',
        text(20, 26, "1. All moves are decided at once: an arc is the segment that a move would reverse."),
        *arcs(),
        *row(205, before, set()),
        text(20, 262, "2. Mirrored cities change places where an odd number of accepted arcs goes over them."),
        *row(300, after, swapped),
        text(20, 357, "3. The first city becomes the last, and the next round has other segments."),
        *row(395, [*after[1:], after[0]], set()),
        text(20, 450, "red: accepted or changed   grey: not accepted", GREY),
        "</svg>",
    ]
    Path(__file__).with_suffix(".svg").write_text("\n".join(parts) + "\n", encoding="utf-8")


def x_of(place: int) -> int:
    """Return where a place lies on the page."""
    return LEFT + GAP * place


def text(x: float, y: float, words: str, colour: str = "#1a202c", anchor: str = "start") -> str:
    """Return a line of text."""
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


def arcs() -> list[str]:
    """Return an arc over the segment of each move, the accepted ones red."""
    drawn = []
    for q in range(PLACES // 2 - 1):
        first, last = x_of(q + 1), x_of(PLACES - 2 - q)
        rise = 130 - 30 * q
        colour, width = (RED, 3) if q in ACCEPTED else (GREY, 1.5)
        drawn.append(
            f'<path d="M{first},188 C{first},{188 - rise} {last},{188 - rise} {last},188" fill="none" '
            f'stroke="{colour}" stroke-width="{width}"/>'
        )
    return drawn


def row(y: int, names: list[str], changed: set[int]) -> list[str]:
    """Return a row of cities joined by edges, the changed ones red."""
    drawn = [f'<line x1="{x_of(0)}" y1="{y}" x2="{x_of(PLACES - 1)}" y2="{y}" stroke="{BLUE}" stroke-width="2"/>']
    for place, name in enumerate(names):
        colour = RED if place in changed else BLUE
        drawn.append(f'<circle cx="{x_of(place)}" cy="{y}" r="14" fill="white" stroke="{colour}" stroke-width="2"/>')
        drawn.append(text(x_of(place), y + 5, name, colour, "middle"))
    return drawn


if __name__ == "__main__":
    main()
