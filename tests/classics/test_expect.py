"""What a log of a classic can claim in the middle; see claims.agn for what positions can say."""

from __future__ import annotations

import pytest

from tests.classics.counting import told

TWO = "  seat Ann\n  seat Bob\n"
NIM = f'[Game "nim"]\nsetup\n{TWO}  heap A of 3\nturn 1 Ann\n  take 2 from A\n'
GOFISH = (
    f'[Game "gofish"]\nsetup\n{TWO}  Ann: deal 7, 7, A\n  Bob: deal 7, 7\nturn 1 Ann\n'
    "  ask Bob for 7\n  Bob: give 2 7\n  book 7\n"
)
ASKED = GOFISH + "  ask Bob for A\n"


@pytest.mark.parametrize(
    ("log", "claim", "found"),
    [
        (NIM, "expect open", []),
        (NIM, "expect over", ["expect-wrong: the game continues"]),
        (NIM + "  take 1 from A\n", "expect over", []),
        (NIM + "  take 1 from A\n", "expect open", ["expect-wrong: the game has ended"]),
        (ASKED + "  Bob: none\n  fish => A\n", "expect open", []),
        (ASKED, "expect open", ["expect-wrong: an answer is due"]),
        (GOFISH, "Ann: expect deal A", []),
        (GOFISH, "Bob: expect deal", []),
        (GOFISH, "Ann: expect books 7", []),
    ],
)
def test_claims(log: str, claim: str, found: list[str]) -> None:
    assert told(f"{log}  {claim}\n") == found


@pytest.mark.parametrize("claim", ["Ann: expect deal A, 7", "Bob: expect books 7"])
def test_both_values_are_told(claim: str) -> None:
    (found,) = told(f"{GOFISH}  {claim}\n")
    assert found.startswith("expect-wrong: ")
