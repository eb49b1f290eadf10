"""The client for asyncio.

Each call runs the blocking client on a thread: the standard library has no asynchronous HTTP, and so both clients
repeat, wait and fail alike, without a dependency. ``connections`` says how many calls may be under way at once.
"""

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Iterator, List, Mapping, Optional, Sequence, TypeVar, Union, overload

from .broadcasts import Recipient
from .client import Faxdeck
from .looks import Cover
from .models import Broadcast, BroadcastDetail, BroadcastRecipient, InboundFax, Quote, SplitPart
from .paper import Paper, Path
from .shapes import Fax, FaxEvent

T = TypeVar("T")


class _Threads:
    """Runs blocking calls, at most so many at once."""

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


class AsyncInbound:
    """Received faxes."""

    def __init__(self, faxdeck: Faxdeck, threads: _Threads):
        self._inbound, self._threads = faxdeck.inbound, threads

    def list(self) -> AsyncIterator[InboundFax]:
        """Received faxes, newest first."""
        return self._threads.each(self._inbound.list())

    async def download(self, fax_id: str, path: Optional[Path] = None) -> bytes:
        """The document of a received fax, a PDF; also written to ``path`` when one is given."""
        return await self._threads.run(self._inbound.download, fax_id, path)


class AsyncBroadcasts:
    """One document to many numbers, accepted as a whole or not at all."""

    def __init__(self, faxdeck: Faxdeck, threads: _Threads):
        self._broadcasts, self._threads = faxdeck.broadcasts, threads

    async def send(
        self,
        recipients: Union[str, Sequence[Recipient]],
        file: Paper,
        *,
        file_name: Optional[str] = None,
        skip_invalid: bool = False,
        idempotency_key: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
        unreadable: Optional[str] = None,
        allow_unlikely_number: bool = False,
    ) -> BroadcastDetail:
        """As ``Broadcasts.send``."""
        return await self._threads.run(
            self._broadcasts.send,
            recipients,
            file,
            file_name=file_name,
            skip_invalid=skip_invalid,
            idempotency_key=idempotency_key,
            cover=cover,
            tones=tones,
            unreadable=unreadable,
            allow_unlikely_number=allow_unlikely_number,
        )

    async def get(self, broadcast_id: str) -> BroadcastDetail:
        """A broadcast with its counts by outcome."""
        return await self._threads.run(self._broadcasts.get, broadcast_id)

    def list(self) -> AsyncIterator[Broadcast]:
        """Broadcasts of this key, newest first; all of them with an administrator key."""
        return self._threads.each(self._broadcasts.list())

    def recipients(self, broadcast_id: str) -> AsyncIterator[BroadcastRecipient]:
        """The recipients in the order of the list, each with what became of its fax."""
        return self._threads.each(self._broadcasts.recipients(broadcast_id))

    async def pause(self, broadcast_id: str) -> BroadcastDetail:
        """Begins no further fax of it."""
        return await self._threads.run(self._broadcasts.pause, broadcast_id)

    async def resume(self, broadcast_id: str) -> BroadcastDetail:
        """Goes on with it."""
        return await self._threads.run(self._broadcasts.resume, broadcast_id)

    async def cancel(self, broadcast_id: str) -> BroadcastDetail:
        """Cancels what has not gone out, once and for all."""
        return await self._threads.run(self._broadcasts.cancel, broadcast_id)

    async def resend(
        self, broadcast_id: str, *, idempotency_key: Optional[str] = None, allow_unlikely_number: bool = False
    ) -> BroadcastDetail:
        """Sends its failed faxes again, as another broadcast."""
        how = {"idempotency_key": idempotency_key, "allow_unlikely_number": allow_unlikely_number}
        return await self._threads.run(self._broadcasts.resend, broadcast_id, **how)

    async def outcomes(self, broadcast_id: str, path: Optional[Path] = None) -> str:
        """The outcomes as CSV; also written to ``path`` when one is given."""
        return await self._threads.run(self._broadcasts.outcomes, broadcast_id, path)


class AsyncFaxdeck:
    """Sends and receives faxes through a Faxdeck gateway, for programs on asyncio.

    >>> async with AsyncFaxdeck("http://127.0.0.1:8080", api_key="…") as faxdeck:
    ...     fax = await faxdeck.send("+15555550123", "letter.pdf")
    ...     outcome = await faxdeck.wait(fax.id)

    A task that is canceled no longer waits; a request under way ends by itself in its thread.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        connections: int = 32,
    ):
        self._faxdeck = Faxdeck(base_url, api_key, timeout=timeout, retries=retries)
        self._threads = _Threads(connections)
        #: Received faxes.
        self.inbound = AsyncInbound(self._faxdeck, self._threads)
        #: One document to many numbers.
        self.broadcasts = AsyncBroadcasts(self._faxdeck, self._threads)

    async def __aenter__(self) -> "AsyncFaxdeck":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Takes no further call. Those that are under way end by themselves."""
        self._threads.close()

    @overload
    async def send(  # type: ignore[overload-overlap]  # a text is a sequence of texts
        self,
        to: str,
        file: Paper,
        *,
        file_name: Optional[str] = ...,
        idempotency_key: Optional[str] = ...,
        cover: Optional[Cover] = ...,
        tones: Optional[str] = ...,
        unreadable: Optional[str] = ...,
        allow_unlikely_number: bool = ...,
        reference: Optional[str] = ...,
        metadata: Optional[Mapping[str, str]] = ...,
    ) -> Fax: ...

    @overload
    async def send(
        self,
        to: Sequence[str],
        file: Paper,
        *,
        file_name: Optional[str] = ...,
        idempotency_key: Optional[str] = ...,
        cover: Optional[Cover] = ...,
        tones: Optional[str] = ...,
        unreadable: Optional[str] = ...,
        allow_unlikely_number: bool = ...,
        reference: Optional[str] = ...,
        metadata: Optional[Mapping[str, str]] = ...,
    ) -> List[Fax]: ...

    async def send(self, to: Union[str, Sequence[str]], file: Paper, **how: Any) -> Union[Fax, List[Fax]]:
        """As ``Faxdeck.send``."""
        return await self._threads.run(self._faxdeck.send, to, file, **how)

    async def status(self, fax_id: str) -> Fax:
        """The state of a fax."""
        return await self._threads.run(self._faxdeck.status, fax_id)

    async def wait(
        self, fax_id: str, *, timeout: float = 1800.0, on_change: Optional[Callable[[Fax], None]] = None
    ) -> Fax:
        """As ``Faxdeck.wait``; ``on_change`` is called in the event loop."""
        loop = asyncio.get_running_loop()
        heard = on_change and (lambda fax: loop.call_soon_threadsafe(on_change, fax))
        return await self._threads.run(self._faxdeck.wait, fax_id, timeout=timeout, on_change=heard)

    def events(self, after: Optional[str] = None) -> AsyncIterator[FaxEvent]:
        """As ``Faxdeck.events``. It keeps one of the ``connections``."""
        return self._threads.each(self._faxdeck.events(after))

    async def quote(
        self,
        file: Paper,
        *,
        to: Optional[str] = None,
        file_name: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
        allow_unlikely_number: bool = False,
    ) -> Quote:
        """Pages, bytes and predicted minutes of a document; nothing is sent."""
        how = {"cover": cover, "tones": tones, "allow_unlikely_number": allow_unlikely_number}
        return await self._threads.run(self._faxdeck.quote, file, to=to, file_name=file_name, **how)

    async def separator(
        self,
        to: str,
        *,
        reference: Optional[str] = None,
        allow_unlikely_number: bool = False,
        path: Optional[Path] = None,
    ) -> bytes:
        """A separator sheet to print, a PDF; also written to ``path`` when one is given."""
        how = {"reference": reference, "allow_unlikely_number": allow_unlikely_number, "path": path}
        return await self._threads.run(self._faxdeck.separator, to, **how)

    async def quote_split(
        self,
        file: Paper,
        *,
        file_name: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
    ) -> List[SplitPart]:
        """To which number each page of a scan with separator sheets goes; nothing is sent."""
        call = self._faxdeck.quote_split
        return await self._threads.run(call, file, file_name=file_name, cover=cover, tones=tones)

    async def split(
        self,
        file: Paper,
        *,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
        unreadable: Optional[str] = None,
    ) -> List[Fax]:
        """Sends a scan in which a separator sheet stands before the pages of each fax: all of them or none."""
        return await self._threads.run(
            self._faxdeck.split,
            file,
            file_name=file_name,
            idempotency_key=idempotency_key,
            cover=cover,
            tones=tones,
            unreadable=unreadable,
        )

    def list(self, *, metadata: Optional[Mapping[str, str]] = None, **filters: Any) -> AsyncIterator[Fax]:
        """As ``Faxdeck.list``."""
        return self._threads.each(self._faxdeck.list(metadata=metadata, **filters))

    async def cancel(self, fax_id: str) -> Fax:
        """Stops a fax that has not been handed to a provider."""
        return await self._threads.run(self._faxdeck.cancel, fax_id)

    async def resend(
        self,
        fax_id: str,
        *,
        idempotency_key: Optional[str] = None,
        unreadable: Optional[str] = None,
        allow_unlikely_number: bool = False,
    ) -> Fax:
        """Sends a finished fax again, as a new one."""
        how = {
            "idempotency_key": idempotency_key,
            "unreadable": unreadable,
            "allow_unlikely_number": allow_unlikely_number,
        }
        return await self._threads.run(self._faxdeck.resend, fax_id, **how)

    async def check_health(self) -> bool:
        """Whether the gateway answers. Raises ConnectionFailed when it does not."""
        return await self._threads.run(self._faxdeck.check_health)
