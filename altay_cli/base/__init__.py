"""What all rooms share: texts, findings, values, budgets, files."""
