"""Which classes of the compiled build others may extend.

`mypyc` translates the modules that judge and list moves, if ALTAY_COMPILE is set while a wheel is
made (hatch_build.py). Without a compiler the same modules run as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_: bool):
        """Return a decorator that returns a class as it is; `mypyc` reads it from the source.

        >>> mypyc_attr(allow_interpreted_subclasses=True)(int)
        <class 'int'>
        """
        return lambda decorated: decorated


__all__ = ["mypyc_attr"]
