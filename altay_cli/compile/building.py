"""Compile the files of a rules folder into a pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from altay_cli.base.findings import START, Finding, PackError, Severity
from altay_cli.compile import course, declarations
from altay_cli.compile.context import Context, check_translations
from altay_cli.compile.course import plan
from altay_cli.compile.effects import entries, formulas, unknown_slips
from altay_cli.compile.moves import claims, decisions, headings, moves, several
from altay_cli.compile.view import view
from altay_cli.compile.vocabulary import PLAYER
from altay_cli.expressions.types import BOOL, INT, Type
from altay_cli.pack.candidates import unambiguous_typed_forms
from altay_cli.pack.model import Pack
from altay_cli.source.folder import Tree, read_folder
from altay_cli.source.naming import build_names
from altay_cli.source.variants import Chains, Left, Patcher, revalidate

_STATUS = {
    "ended": BOOL, "ending": BOOL, "round": INT, "active": PLAYER, "next": PLAYER,
    "turn_over": BOOL,
}  # fmt: skip


def read_tree(folder: Path, variants: Sequence[Path]) -> Tree:
    """Read a rules folder and apply variants, noting problems."""
    return apply_variants(read_folder(folder), folder, variants)


def apply_variants(
    base: Tree, folder: Path, variants: Sequence[Path], left: Left = frozenset()
) -> Tree:
    """Return a tree with variants applied, except the changes ``left``."""
    if not variants or base.problems:
        return base
    tree = base.copy()
    patcher = Patcher(tree)
    chains = Chains(folder, tree.problems, left)
    chain = chains.read(variants)
    tree.files, tree.layers = list(map(str, chains.files)), chains.sources
    if tree.problems:
        tree.well_formed = False
        return tree
    slips = set(entries(tree.data))
    tree.variants = chain
    for variant in chain:
        patcher.apply(variant)
    revalidate(tree, base, variants[-1].name)
    if tree.well_formed:
        for path in [path for path, _, _ in unknown_slips(tree.data) if path in slips]:
            tree.remove(path)
    return tree


def compile_tree(tree: Tree) -> Context | None:
    """Compile a tree, or note its problems and return None."""
    try:
        context = Context(tree)
        compile_rules(context)
        return context
    except RecursionError:
        message = "the rules are nested too deep to name the place"
        unusable = Finding("rules-unusable", Severity.ERROR, message, START, file=tree.file)
        tree.problems.append(unusable)
        return None


def compile_read(tree: Tree) -> Pack:
    """Compile a tree; raise a PackError with all its problems."""
    compiled = None if tree.problems else compile_tree(tree)
    if compiled is None or tree.problems:
        raise PackError(tree.problems)
    return compiled.pack


def compile_rules(c: Context) -> Pack:
    """Compile a whole tree into ``c.pack``, which is valid if no problem was noted.

    The order of sections is that of problems and of the numbers of expressions.
    """
    data = c.data
    fields = declarations.declare(c)
    names, shown, plurals = build_names(c.tree, dict(c.entities))
    held = formulas(c, fields)
    rulings = {ruling.id: ruling for ruling in declarations.rulings(c)}
    for path, what, known in unknown_slips(data):
        c.part(*path).unknown(what, known, key=True)
    procedures = course.procedures(c)
    triggers = tuple(course.triggers(c))
    all_moves = {move.id: move for move in moves(c)}
    of_player = c.part(env=c.base).with_names({"me": PLAYER})
    c.pack = pack = Pack(
        status={key: part.expr(_STATUS[key]) for key, part in c.parts("status", c.base)},
        id=data["game"],
        title=data["title"],
        version=data["version"],
        least=data["players"]["least"],
        most=data["players"]["most"],
        variants=tuple(
            (variant.id, str(variant.source.data.get("version", ""))) for variant in c.tree.variants
        ),
        options={option.id: option for option in declarations.options(c)},
        kinds={kind: entry["title"] for kind, entry in data["kinds"].items()},
        entities=c.entities,
        zones=c.zones,
        moves=tuple(all_moves.values()),
        headings=headings(c, all_moves.values()),
        goals=tuple(c.goals.values()),
        claims=tuple(claims(c)),
        decisions={decision.id: decision for decision in decisions(c)},
        procedures=procedures,
        triggers=tuple(trigger for trigger in triggers if trigger.zones is None),
        watches=tuple(trigger for trigger in triggers if trigger.zones is not None),
        prepare=tuple(course.stages(c, "prepare", "phases")),
        complete=tuple(course.stages(c, "complete", "after")),
        checks=tuple(course.checks(c)),
        unrecorded_when={
            number: zone["untold"].expr(BOOL)
            for number, (_, zone) in enumerate(c.parts("zones", c.base))
            if "untold" in zone
        },
        grids={
            kind: (entry["grid"]["columns"], entry["grid"]["rows"])
            for kind, entry in data["kinds"].items()
            if "grid" in entry
        },
        repeats=tuple(
            c.zone_named[name].index for name in c.section("repeats") if name in c.zone_named
        ),
        categories=tuple(course.categories(c)),
        ties=course.ties(c),
        winner_cite=c.citation(c.section("ties").get("cite", {})),
        endings=tuple(course.endings(c)),
        teams=of_player.optional("teams"),
        ranking=tuple(part.expr(INT) for _, part in of_player.parts("ranking")),
        assumptions=tuple(course.assumptions(c)),
        lints=tuple(course.lints(c)),
        opening=tuple(course.opening(c, all_moves)),
        policies={policy.id: policy for policy in course.policies(c, all_moves)},
        measures={measure.id: measure for measure in course.measures(c, all_moves)},
        view=view(c, all_moves),
        rulings=rulings,
        names=names,
        typed_forms={kind: unambiguous_typed_forms(known) for kind, known in names.items()},
        shown=shown,
        words=declarations.words(c),
        several=tuple(several(c)),
        after_unread=frozenset(c.section("slips", "after_unread")),
        notations=tuple(declarations.notations(c)),
        counts_rounds=c.section("slips").get("rounds") is True,
        details={
            kind: tuple(
                (part.data["title"], part["is"].expr())
                for _, part in clause.with_names({kind: Type(kind)}).parts("tells")
            )
            for kind, clause in c.parts("kinds")
        },
        plurals=plurals,
        exprs=c.exprs,
        codes={key: c.checked[key].code for key in c.paths},
        quick={
            key: checked.quick
            for key, checked in c.checked.items()
            if key in c.paths and checked.quick != checked.code
        },
        functions=c.functions,
        constants=c.constants,
        routines=c.routines,
        makers=[],
        standing={},
        scorers=[],
        listing=[],
        languages=frozenset(c.section("texts")),
        texts=c.section("texts"),
        rules=c.rules,
    )
    check_translations(c)
    course.check_points(c, pack)
    for trigger in plan(pack, held):
        wrong = "an effect in the middle of another cannot ask a player for a decision"
        c.problem("trigger-asks", wrong, ("triggers", trigger.id, "does"))
    return pack
