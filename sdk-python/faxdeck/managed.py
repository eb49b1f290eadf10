"""The webhooks of this key; those of everybody for an administrator key."""

import json
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union
from urllib.parse import quote as quoted

from .models import Webhook, WebhookDelivery, WebhookDeliveryDetail, WebhookReplay, WebhookWithSecret
from .request import Connection, ask
from .shapes import read_as

_PER_PAGE = 100


def _path(webhook_id: str, rest: str = "") -> str:
    return f"/webhooks/{quoted(webhook_id, safe='')}{rest}"


def _delivery(delivery_id: str, rest: str = "") -> str:
    return f"/webhook-deliveries/{quoted(delivery_id, safe='')}{rest}"


class Webhooks:
    """Adds, changes and replays webhooks."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def list(self) -> List[Webhook]:
        """The webhooks, oldest first."""
        return [read_as(Webhook, each) for each in self._json("/webhooks")]

    def create(self, url: str, events: Sequence[str], **more: Any) -> WebhookWithSecret:
        """Adds a webhook; ``description`` and ``inbound_content`` may be given. No other answer contains its ``secret``."""
        wanted = {"url": url, "events": [*events], **more}
        return read_as(WebhookWithSecret, self._send("POST", "/webhooks", wanted))

    def update(self, webhook_id: str, **change: Any) -> Webhook:
        """Changes ``url``, ``events``, ``description``, ``inbound_content`` or ``enabled``."""
        return read_as(Webhook, self._send("PUT", _path(webhook_id), change, repeatable=True))

    def delete(self, webhook_id: str) -> None:
        """Removes a webhook and the record of its deliveries."""
        ask(self._connection, _path(webhook_id), method="DELETE")

    def rotate_secret(self, webhook_id: str, keep_hours: int = 24) -> WebhookWithSecret:
        """Replaces the secret. Deliveries are also signed with the one before for ``keep_hours``."""
        return read_as(WebhookWithSecret, self._send("POST", _path(webhook_id, "/rotate"), {"keep_hours": keep_hours}))

    def test(self, webhook_id: str) -> WebhookDelivery:
        """Sends a ``webhook.test``, which is not retried."""
        return read_as(WebhookDelivery, self._json(_path(webhook_id, "/test"), method="POST"))

    def deliveries(
        self, webhook_id: str, state: Optional[Union[str, Sequence[str]]] = None
    ) -> Iterator[WebhookDelivery]:
        """The deliveries to a webhook, newest first, page after page as they are asked for."""
        cursor: Optional[str] = None
        while True:
            query = {"limit": _PER_PAGE, "state": state, "cursor": cursor}
            page = self._json(_path(webhook_id, "/deliveries"), query=query)
            yield from (read_as(WebhookDelivery, each) for each in page)
            if len(page) < _PER_PAGE:
                return
            cursor = page[-1]["cursor"]

    def delivery(self, delivery_id: str) -> WebhookDeliveryDetail:
        """One delivery with each of its attempts."""
        return read_as(WebhookDeliveryDetail, self._json(_delivery(delivery_id)))

    def replay(self, delivery_id: str) -> WebhookDelivery:
        """Sends one delivery again, with the same ``webhook-id``."""
        return read_as(WebhookDelivery, self._json(_delivery(delivery_id, "/replay"), method="POST", repeatable=True))

    def replay_since(self, webhook_id: str, since: str, messages: str = "all") -> WebhookReplay:
        """Sends everything since a time again; ``failed`` leaves out what was delivered."""
        wanted = {"since": since, "messages": messages}
        return read_as(WebhookReplay, self._send("POST", _path(webhook_id, "/replay"), wanted, repeatable=True))

    def _send(self, method: str, path: str, body: Dict[str, Any], **how: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        return self._json(path, method=method, body=json.dumps(body).encode(), headers=headers, **how)

    def _json(self, path: str, **how: Any) -> Any:
        return json.loads(ask(self._connection, path, **how))
