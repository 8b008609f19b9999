"""`python -m altay_cli` is `altay`."""

from altay_cli.cli.main import main

main(prog_name="altay")
