"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# A slow machine is no failure: what must be fast is measured in bench/.
settings.register_profile("altay", deadline=None)
settings.load_profile("altay")

pytest_plugins = ["tests.small"]
