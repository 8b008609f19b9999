"""`python -m attack COMMAND`; commands are imported when they are called."""

from __future__ import annotations

import click

from altay_cli.cli.main import LazyGroup

COMMANDS = {
    "rules": ("attack.rules", "Change the rules one by one; some test must fail."),
    "logs": ("attack.logs", "Change statements of logs; `check` must agree with the listing."),
    "causes": ("attack.causes", "Make single slips in logs; each should give one error."),
    "invariants": ("attack.invariants", "Count everything after every move of many games."),
    "unreadable": ("attack.unreadable", "Make statements unreadable; each is one error."),
    "masked": ("attack.masked", "Mask draws of games; what is not recorded is not wrong."),
    "forced": (
        "attack.innovation_forced",
        "Write down what nobody is asked for; it is not wrong.",
    ),
    "coverage": ("attack.coverage", "Count how often each rule passed and failed."),
    "corpus": ("attack.corpus", "Replay the simulated games; tell what has changed."),
    "stored": ("attack.stored", "Hold what is said of many logs to what was said before."),
    "mutations": ("attack.mutations", "Change the program in one place; some test must fail."),
    "tenfold": ("attack.tenfold", "Change limits of the program tenfold; some test must fail."),
    "faults": ("attack.faults", "Break logs of every setting; no command may fail."),
    "languages": ("attack.languages", "Check logs in every language; only words may differ."),
    "hidden": ("attack.hidden_from", "Change what players hide; nobody else may be shown it."),
    "page": ("attack.page", "Check logs on the page; it must say what the command line says."),
    "planted": ("attack.planted", "Put mistakes into the program; none may be a verdict."),
    "charges": ("attack.charges", "Measure the time of a charged step, of all that can be called."),
    "fuzz": ("attack.fuzz", "Feed the readers what nobody would write."),
}


@click.command(
    cls=LazyGroup, commands_of=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
def main() -> None:
    """Attack the rules and the program, to find mistakes before others do."""


main()
