"""Rule files: YAML with places, schemas, variants."""
