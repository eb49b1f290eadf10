"""Received faxes, as the key sees them."""

import json
import time
from typing import Any, Iterator, Optional, Sequence
from urllib.parse import quote as quoted

from .events import arrivals
from .models import ReceivedFax
from .paper import Path, write_privately
from .problems import ConnectionFailed, GatewayError
from .request import Connection, ask
from .shapes import read_as

_PER_PAGE = 100
_AWAY = 5.0
_PASSING = (429, 502, 503, 504)


def _path(fax_id: str) -> str:
    return f"/received/{quoted(fax_id, safe='')}"


def _saved(content: bytes, path: Optional[Path]) -> bytes:
    if path is not None:
        write_privately(path, content)
    return content


class Received:
    """Received faxes."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def list(self, **filters: Any) -> Iterator[ReceivedFax]:
        """Received faxes, newest first unless ``order`` is ``oldest``, page after page as they are asked for.

        ``status``, ``to``, ``from``, ``group``, ``q``, ``unread``, ``since`` and ``until`` narrow them. ``cursor`` begins
        after the fax that had it.
        """
        cursor: Optional[str] = filters.pop("cursor", None)
        while True:
            page = self._json("/received", query={"limit": _PER_PAGE, **filters, "cursor": cursor})
            yield from (read_as(ReceivedFax, fax) for fax in page["faxes"])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def follow(self, after: Optional[str] = None) -> Iterator[ReceivedFax]:
        """Every received fax once it is complete, oldest first, and then what arrives.

        Keep the ``cursor`` of the last fax that you dealt with and give it as ``after`` to go on there. A gateway that is
        away is waited for; one that cannot be reached to begin with, or refuses, raises.
        """
        cursor, is_first = after, True
        while True:
            try:
                # The list is the truth: the stream only says when to look at it.
                for _ in arrivals(self._connection):
                    is_first = False
                    for fax in self.list(order="oldest", cursor=cursor):
                        yield fax
                        cursor = fax.cursor or cursor
            except (ConnectionFailed, GatewayError) as problem:
                if is_first or (isinstance(problem, GatewayError) and problem.status not in _PASSING):
                    raise
            time.sleep(_AWAY)

    def get(self, fax_id: str) -> ReceivedFax:
        """One received fax."""
        return read_as(ReceivedFax, self._json(_path(fax_id)))

    def download(self, fax_id: str, path: Optional[Path] = None, *, format: str = "pdf") -> bytes:
        """The document of a received fax: pdf, tiff, original or text; also written to ``path`` when one is given."""
        return _saved(ask(self._connection, f"{_path(fax_id)}/document", query={"format": format}), path)

    def mark_read(self, fax_id: str, read: bool = True) -> ReceivedFax:
        """Marks a fax as read, or as unread."""
        return read_as(ReceivedFax, self._post(f"{_path(fax_id)}/read", {"read": read}))

    def delete(self, fax_id: str) -> ReceivedFax:
        """Deletes the document of a fax. Needs a key that was created with ``received_delete``."""
        return read_as(ReceivedFax, self._json(_path(fax_id), method="DELETE"))

    def archive(self, fax_ids: Sequence[str], path: Optional[Path] = None) -> bytes:
        """The documents of several faxes as a zip; also written to ``path`` when one is given."""
        return _saved(self._ask_post("/received/archive", {"ids": list(fax_ids)}), path)

    def _ask_post(self, path: str, body: Any) -> bytes:
        headers = {"Content-Type": "application/json"}
        how = {"method": "POST", "body": json.dumps(body).encode(), "headers": headers, "repeatable": True}
        return ask(self._connection, path, **how)  # type: ignore[arg-type]

    def _post(self, path: str, body: Any) -> Any:
        return json.loads(self._ask_post(path, body))

    def _json(self, path: str, **how: Any) -> Any:
        return json.loads(ask(self._connection, path, **how))
