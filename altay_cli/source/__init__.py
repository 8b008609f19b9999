"""Rule files: YAML with places, schemas and variants."""
