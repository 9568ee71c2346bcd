"""A bar that follows a run, by tqdm."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Optional

from clopt._run import Callback, IntermediateResult, by_position
from clopt.errors import InvalidInput

__all__ = ["bar"]

# Between two updates of a run that has no callback of its own, in seconds.
_INTERVAL = 0.1
_FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"


def _state(state: IntermediateResult) -> str:
    parts = [f"generation {state.nit}"] if state.nit else []
    return ", ".join(parts if state.fun is None else [*parts, f"best {state.fun:.9g}"])


@contextlib.contextmanager
def bar(name: str, is_asked: Any, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments of a call, whose callback moves a bar too where one is asked for.

    Args:
        name: of the solver.
        given: the keyword arguments.

    Raises:
        ImportError: tqdm is not installed.
        InvalidInput: what is asked for is neither True nor False.
    """
    if not isinstance(is_asked, bool):
        raise InvalidInput(f"progress={is_asked!r}: give True or False")
    callback: Optional[Callback] = given.get("callback")
    if not is_asked or not (callback is None or callable(callback)):
        yield given
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True shows a bar of tqdm, which is not there; pip install tqdm", name="tqdm") from None
    own = None if callback is None else by_position(callback)
    with tqdm(total=1.0, desc=name, bar_format=_FORMAT, miniters=0) as shown:

        def follow(state: IntermediateResult) -> Any:
            shown.set_description_str(f"{name}, {state.phase}" if state.phase else name, refresh=False)
            shown.set_postfix_str(_state(state), refresh=False)
            shown.update(state.done - shown.n)
            return own(state) if own else False

        interval = given.get("callback_interval")
        yield {
            **given,
            "callback": follow,
            "callback_interval": _INTERVAL if callback is None and interval is None else interval,
        }
        shown.update(1.0 - shown.n)
