"""Whether rules make sense: what `altay rules check` asks beyond form."""
