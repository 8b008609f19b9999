"""Attacks on the rules: mutated logs, mutated rules, coverage, invariants, fuzzing."""
