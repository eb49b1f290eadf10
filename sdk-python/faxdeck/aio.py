"""The client for asyncio. Written by "npm run reference" from the blocking client.

Each call runs the blocking client on a thread: the standard library has no asynchronous HTTP, and so both clients
repeat, wait and fail alike, without a dependency. ``connections`` says how many calls may be under way at once.
"""

from typing import Any, AsyncIterator, Callable, List, Mapping, Optional, Sequence, Union, overload

from .broadcasts import Broadcasts, Recipient
from .client import Faxdeck
from .inbound import Inbound
from .looks import Cover
from .managed import Webhooks
from .models import (
    Broadcast,
    BroadcastDetail,
    BroadcastRecipient,
    InboundFax,
    Quote,
    ReceivedFax,
    SplitPart,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookReplay,
    WebhookWithSecret,
)
from .paper import Paper, Path
from .received import Received
from .shapes import Fax, FaxEvent
from .threads import Threads, in_loop


class AsyncInbound:
    """Received faxes."""

    def __init__(self, blocking: Inbound, threads: Threads):
        self._blocking, self._threads = blocking, threads

    def list(self) -> AsyncIterator[InboundFax]:
        """Received faxes, newest first, page after page as they are asked for."""
        return self._threads.each(self._blocking.list())

    async def download(self, fax_id: str, path: Optional[Path] = None) -> bytes:
        """The document of a received fax, a PDF; also written to ``path`` when one is given."""
        return await self._threads.run(self._blocking.download, fax_id, path)


class AsyncReceived:
    """Received faxes."""

    def __init__(self, blocking: Received, threads: Threads):
        self._blocking, self._threads = blocking, threads

    def list(self, **filters: Any) -> AsyncIterator[ReceivedFax]:
        """As ``Received.list``."""
        return self._threads.each(self._blocking.list(**filters))

    def follow(self, after: Optional[str] = None) -> AsyncIterator[ReceivedFax]:
        """As ``Received.follow``."""
        return self._threads.each(self._blocking.follow(after))

    async def get(self, fax_id: str) -> ReceivedFax:
        """One received fax."""
        return await self._threads.run(self._blocking.get, fax_id)

    async def download(self, fax_id: str, path: Optional[Path] = None, *, format: str = "pdf") -> bytes:
        """The document of a received fax: pdf, tiff, original or text; also written to ``path`` when one is given."""
        return await self._threads.run(self._blocking.download, fax_id, path, format=format)

    async def mark_read(self, fax_id: str, read: bool = True) -> ReceivedFax:
        """Marks a fax as read, or as unread."""
        return await self._threads.run(self._blocking.mark_read, fax_id, read)

    async def delete(self, fax_id: str) -> ReceivedFax:
        """Deletes the document of a fax. Needs a key that was created with ``received_delete``."""
        return await self._threads.run(self._blocking.delete, fax_id)

    async def archive(self, fax_ids: Sequence[str], path: Optional[Path] = None) -> bytes:
        """The documents of several faxes as a zip; also written to ``path`` when one is given."""
        return await self._threads.run(self._blocking.archive, fax_ids, path)


class AsyncWebhooks:
    """Adds, changes and replays webhooks."""

    def __init__(self, blocking: Webhooks, threads: Threads):
        self._blocking, self._threads = blocking, threads

    async def list(self) -> List[Webhook]:
        """The webhooks, oldest first."""
        return await self._threads.run(self._blocking.list)

    async def create(self, url: str, events: Sequence[str], **more: Any) -> WebhookWithSecret:
        """Adds a webhook; ``description`` and ``inbound_content`` may be given. No other answer contains its ``secret``."""
        return await self._threads.run(self._blocking.create, url, events, **more)

    async def update(self, webhook_id: str, **change: Any) -> Webhook:
        """Changes ``url``, ``events``, ``description``, ``inbound_content`` or ``enabled``."""
        return await self._threads.run(self._blocking.update, webhook_id, **change)

    async def delete(self, webhook_id: str) -> None:
        """Removes a webhook and the record of its deliveries."""
        return await self._threads.run(self._blocking.delete, webhook_id)

    async def rotate_secret(self, webhook_id: str, keep_hours: int = 24) -> WebhookWithSecret:
        """Replaces the secret. Deliveries are also signed with the one before for ``keep_hours``."""
        return await self._threads.run(self._blocking.rotate_secret, webhook_id, keep_hours)

    async def test(self, webhook_id: str) -> WebhookDelivery:
        """Sends a ``webhook.test``, which is not retried."""
        return await self._threads.run(self._blocking.test, webhook_id)

    def deliveries(
        self, webhook_id: str, state: Optional[Union[str, Sequence[str]]] = None
    ) -> AsyncIterator[WebhookDelivery]:
        """The deliveries to a webhook, newest first, page after page as they are asked for."""
        return self._threads.each(self._blocking.deliveries(webhook_id, state))

    async def delivery(self, delivery_id: str) -> WebhookDeliveryDetail:
        """One delivery with each of its attempts."""
        return await self._threads.run(self._blocking.delivery, delivery_id)

    async def replay(self, delivery_id: str) -> WebhookDelivery:
        """Sends one delivery again, with the same ``webhook-id``."""
        return await self._threads.run(self._blocking.replay, delivery_id)

    async def replay_since(self, webhook_id: str, since: str, messages: str = "all") -> WebhookReplay:
        """Sends everything since a time again; ``failed`` leaves out what was delivered."""
        return await self._threads.run(self._blocking.replay_since, webhook_id, since, messages)


class AsyncBroadcasts:
    """One document to many numbers, accepted as a whole or not at all."""

    def __init__(self, blocking: Broadcasts, threads: Threads):
        self._blocking, self._threads = blocking, threads

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
            self._blocking.send,
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
        return await self._threads.run(self._blocking.get, broadcast_id)

    def list(self) -> AsyncIterator[Broadcast]:
        """Broadcasts of this key, newest first; all of them with an administrator key."""
        return self._threads.each(self._blocking.list())

    def recipients(self, broadcast_id: str) -> AsyncIterator[BroadcastRecipient]:
        """The recipients in the order of the list, each with the outcome of its fax."""
        return self._threads.each(self._blocking.recipients(broadcast_id))

    async def pause(self, broadcast_id: str) -> BroadcastDetail:
        """Begins no further fax of it."""
        return await self._threads.run(self._blocking.pause, broadcast_id)

    async def resume(self, broadcast_id: str) -> BroadcastDetail:
        """Goes on with it."""
        return await self._threads.run(self._blocking.resume, broadcast_id)

    async def cancel(self, broadcast_id: str) -> BroadcastDetail:
        """Cancels what has not gone out, once and for all."""
        return await self._threads.run(self._blocking.cancel, broadcast_id)

    async def resend(
        self, broadcast_id: str, *, idempotency_key: Optional[str] = None, allow_unlikely_number: bool = False
    ) -> BroadcastDetail:
        """Sends its failed faxes again, as another broadcast: never those that were delivered or may have been."""
        return await self._threads.run(
            self._blocking.resend,
            broadcast_id,
            idempotency_key=idempotency_key,
            allow_unlikely_number=allow_unlikely_number,
        )

    async def outcomes(self, broadcast_id: str, path: Optional[Path] = None) -> str:
        """The outcomes as CSV; also written to ``path`` when one is given."""
        return await self._threads.run(self._blocking.outcomes, broadcast_id, path)


class AsyncFaxdeck:
    """Sends and receives faxes through a Faxdeck gateway, for programs on asyncio.

    >>> async with AsyncFaxdeck("http://127.0.0.1:8080", api_key="…") as faxdeck:
    ...     fax = await faxdeck.send("+15555550123", "letter.pdf")
    ...     outcome = await faxdeck.wait(fax.id)

    A task that is canceled no longer waits; a request under way ends by itself in its thread. Callbacks are called in
    the event loop. ``events`` keeps one of the ``connections``.
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
        self._blocking = Faxdeck(base_url, api_key, timeout=timeout, retries=retries)
        self._threads = Threads(connections)
        #: Received faxes.
        self.received = AsyncReceived(self._blocking.received, self._threads)
        self.inbound = AsyncInbound(self._blocking.inbound, self._threads)
        #: The webhooks of this key.
        self.webhooks = AsyncWebhooks(self._blocking.webhooks, self._threads)
        #: One document to many numbers.
        self.broadcasts = AsyncBroadcasts(self._blocking.broadcasts, self._threads)

    async def __aenter__(self) -> "AsyncFaxdeck":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Takes no further call. Those that are under way end by themselves."""
        self._threads.close()

    async def send(
        self,
        to: Union[str, Sequence[str]],
        file: Paper,
        *,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
        unreadable: Optional[str] = None,
        allow_unlikely_number: bool = False,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
    ) -> Union[Fax, List[Fax]]:
        """As ``Faxdeck.send``."""
        return await self._threads.run(
            self._blocking.send,
            to,
            file,
            file_name=file_name,
            idempotency_key=idempotency_key,
            cover=cover,
            tones=tones,
            unreadable=unreadable,
            allow_unlikely_number=allow_unlikely_number,
            reference=reference,
            metadata=metadata,
        )

    async def status(self, fax_id: str) -> Fax:
        """The state of a fax."""
        return await self._threads.run(self._blocking.status, fax_id)

    async def wait(
        self, fax_id: str, *, timeout: float = 1800.0, on_change: Optional[Callable[[Fax], None]] = None
    ) -> Fax:
        """As ``Faxdeck.wait``."""
        return await self._threads.run(self._blocking.wait, fax_id, timeout=timeout, on_change=in_loop(on_change))

    def events(self, after: Optional[str] = None) -> AsyncIterator[FaxEvent]:
        """As ``Faxdeck.events``."""
        return self._threads.each(self._blocking.events(after))

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
        """Pages, bytes and predicted minutes of a document and its cover page, with ``to`` on it; nothing is sent."""
        return await self._threads.run(
            self._blocking.quote,
            file,
            to=to,
            file_name=file_name,
            cover=cover,
            tones=tones,
            allow_unlikely_number=allow_unlikely_number,
        )

    async def separator(
        self,
        to: str,
        *,
        reference: Optional[str] = None,
        allow_unlikely_number: bool = False,
        path: Optional[Path] = None,
    ) -> bytes:
        """As ``Faxdeck.separator``."""
        return await self._threads.run(
            self._blocking.separator,
            to,
            reference=reference,
            allow_unlikely_number=allow_unlikely_number,
            path=path,
        )

    async def quote_split(
        self,
        file: Paper,
        *,
        file_name: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
    ) -> List[SplitPart]:
        """To which number each page of a scan with separator sheets goes, and what that takes; nothing is sent."""
        return await self._threads.run(self._blocking.quote_split, file, file_name=file_name, cover=cover, tones=tones)

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
        """As ``Faxdeck.split``."""
        return await self._threads.run(
            self._blocking.split,
            file,
            file_name=file_name,
            idempotency_key=idempotency_key,
            cover=cover,
            tones=tones,
            unreadable=unreadable,
        )

    def list(self, *, metadata: Optional[Mapping[str, str]] = None, **filters: Any) -> AsyncIterator[Fax]:
        """As ``Faxdeck.list``."""
        return self._threads.each(self._blocking.list(metadata=metadata, **filters))

    async def cancel(self, fax_id: str) -> Fax:
        """Stops a fax that has not been handed to a provider."""
        return await self._threads.run(self._blocking.cancel, fax_id)

    async def resend(
        self,
        fax_id: str,
        *,
        idempotency_key: Optional[str] = None,
        unreadable: Optional[str] = None,
        allow_unlikely_number: bool = False,
        force: bool = False,
    ) -> Fax:
        """As ``Faxdeck.resend``."""
        return await self._threads.run(
            self._blocking.resend,
            fax_id,
            idempotency_key=idempotency_key,
            unreadable=unreadable,
            allow_unlikely_number=allow_unlikely_number,
            force=force,
        )

    async def check_health(self) -> bool:
        """Whether the gateway answers. Raises ConnectionFailed when it does not."""
        return await self._threads.run(self._blocking.check_health)
