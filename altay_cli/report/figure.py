"""Draw with matplotlib, which takes half a second to import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

STYLE = Path(__file__).parent / "assets" / "plot.mplstyle"
METADATA: dict[str, dict[str, object]] = {
    ".svg": {"Date": None, "Creator": "altay"},
    ".png": {"Software": "altay"},
    ".pdf": {"CreationDate": None, "Creator": "altay", "Producer": "altay"},
}


def picture(
    title: str,
    parts: Sequence[Callable[[Axes], None]],
    grid: tuple[int, Sequence[float]],
    height: float,
    suffix: str,
) -> bytes:
    """Return a picture of parts that draw themselves; its height is in inches.

    ``grid`` is the number of parts in a row, and the relative heights of rows.
    """
    # The user may have changed the defaults.
    defaults = {key: value for key, value in mpl.rcParamsDefault.items() if key != "backend"}
    style = mpl.rc_params_from_file(STYLE, fail_on_error=True, use_default_template=False)
    settings: Any = defaults | style
    with mpl.rc_context(settings):
        figure = Figure(
            figsize=(12, height), layout=ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.12)
        )
        FigureCanvasAgg(figure)
        figure.suptitle(title, fontsize=11)
        across, heights = grid
        places = figure.subplots(len(heights), across, height_ratios=heights, squeeze=False)
        for axes, part in zip_longest(places.flat, parts):
            if part is None:
                axes.set_axis_off()
            else:
                part(axes)
        # Round the positions: the solver's last digits vary.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for axes in figure.axes:
            x, y, wide, high = axes.get_position().bounds
            axes.set_position((round(x, 4), round(y, 4), round(wide, 4), round(high, 4)))
        buffer = BytesIO()
        figure.savefig(buffer, format=suffix[1:], dpi=120, metadata=METADATA[suffix])
    return buffer.getvalue()
