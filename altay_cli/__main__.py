"""`python -m altay_cli` is `altay`."""

from altay_cli.cli.start import main

main()
