"""Blocking calls for an event loop."""

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Iterator, Optional, TypeVar

T = TypeVar("T")


class Threads:
    """Runs blocking calls, up to a number at once."""

    def __init__(self, count: int):
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="faxdeck")

    async def run(self, call: Callable[..., T], *args: Any, **how: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, functools.partial(call, *args, **how))

    async def each(self, items: Iterator[T]) -> AsyncIterator[T]:
        end: Any = object()
        while True:
            item = await self.run(next, items, end)
            if item is end:
                return
            yield item

    def close(self) -> None:
        self._pool.shutdown(wait=False)


def in_loop(call: Optional[Callable[[T], None]]) -> Optional[Callable[[T], None]]:
    """The callback as a thread may call it: it runs in the event loop."""
    if call is None:
        return None
    return functools.partial(asyncio.get_running_loop().call_soon_threadsafe, call)
