"""The bench that attacks the rules: mutated logs, mutated rules, coverage, invariants, fuzzing."""
