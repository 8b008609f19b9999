"""The fuzzing process: `python -m attack.fuzz.driver TARGET PROGRAM [OPTIONS] [FOLDERS]`.

Options and folders are those of libFuzzer, which restarts PROGRAM, a file. The target is imported
here with its branches counted, so nothing may import it before.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random

import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

# Counting the branches of other modules would double the time.
COUNTED = {
    "agn": [
        "altay_cli.notation",
        "altay_cli.hidden",
        "altay_cli.match",
        "altay_cli.repair",
        "altay_cli.checking",
        "altay_cli.scoring",
    ],
    "cel": ["altay_cli.expressions", "altay_cli.base.values"],
    "variant": ["altay_cli.source", "altay_cli.compile"],
}


def main() -> None:
    """Fuzz the target that the command line names."""
    name = sys.argv[1]
    with atheris.instrument_imports(include=COUNTED[name]):
        from attack.fuzz import seeds, targets

        target = targets.TARGETS[name]
        # Import lazy modules now, so they are counted. Failures occur again during fuzzing.
        for data in seeds.seeds(name, target.largest)[:: 40 if name == "cel" else 10]:
            with suppress(Exception):
                target.run(data)
        mutator = seeds.mutator(name)

    def mutate(data: bytes, size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.2:
            changed: bytes = atheris.Mutate(data, size)
            return changed
        text = mutator.mutate(data.decode("utf-8", "replace"), random)
        return text.encode("utf-8", "replace")[:size]

    def cross(one: bytes, other: bytes, size: int, seed: int) -> bytes:
        random = Random(seed)
        texts = one.decode("utf-8", "replace"), other.decode("utf-8", "replace")
        return mutator.cross(*texts, random).encode("utf-8", "replace")[:size]

    atheris.Setup(sys.argv[2:], target.run, custom_mutator=mutate, custom_crossover=cross)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
