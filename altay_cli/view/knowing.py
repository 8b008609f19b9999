"""What one player knew of a state: what is hidden from him is counted only."""

from __future__ import annotations

from collections.abc import Mapping

from altay_cli.view.model import Address, Cell, CellGroup, Heap, Scene
from altay_cli.view.watching import Change


def masked(cell: Cell, viewer: str | None) -> Cell:
    """Return what a player sees of a field; None sees everything."""
    if viewer is None or cell.owner is None or cell.owner == viewer:
        return cell
    sizes = [group.items.size for group in cell.groups if isinstance(group.items, Heap)]
    if len(sizes) < len(cell.groups):
        return Cell((CellGroup("?"),), cell.owner)
    return Cell((CellGroup(Heap((), sum(sizes))),), cell.owner)


def seen(scene: Scene, viewer: str | None) -> Scene:
    """Return what a player sees of a state."""
    cells = {at: masked(cell, viewer) for at, cell in scene.cells.items()}
    return Scene(cells, scene.round, scene.active, scene.ended, scene.due)


def seen_changes(changes: Mapping[Address, Change], viewer: str | None) -> dict[Address, Change]:
    """Return what a player sees of what a move changed."""
    found: dict[Address, Change] = {}
    for at, (before, after) in changes.items():
        old = None if before is None else masked(before, viewer)
        new = None if after is None else masked(after, viewer)
        if old != new:
            found[at] = (old, new)
    return found
