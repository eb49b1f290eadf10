"""One document to many numbers."""

import json
import uuid
from typing import Any, Iterator, Mapping, Optional, Sequence, Union
from urllib.parse import quote as quoted

from .form import encode_form
from .looks import Cover, json_of, looks_of
from .models import Broadcast, BroadcastDetail, BroadcastRecipient
from .paper import Paper, Path, read_paper, write_privately
from .request import Connection, ask
from .shapes import read_as

#: A number, or a mapping with ``to`` and perhaps ``name`` and ``reference``.
Recipient = Union[str, Mapping[str, str]]

_PER_PAGE = 50
_RECIPIENTS_PER_PAGE = 1000


class Broadcasts:
    """One document to many numbers, accepted as a whole or not at all."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def send(
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
        """Sends one document to up to 5,000 numbers. It returns when the gateway has all faxes safe.

        ``recipients`` is a sequence, or a list as text: CSV with the columns fax, name and reference, or one number a
        line. ``faxes`` of the answer says how many were accepted; ``duplicates`` and ``skipped_rows`` what was left
        out. Without ``skip_invalid`` one row without a valid number refuses all: RefusedError names each in ``fields``.
        Numbers that most likely do not exist are refused with the code ``number_unlikely``, unless
        ``allow_unlikely_number`` is given.
        """
        name, content = read_paper(file, file_name)
        text = recipients if isinstance(recipients, str) else json.dumps(list(recipients))
        fields = {"recipients": text, **({"skip_invalid": "true"} if skip_invalid else {})}
        looks = looks_of(cover, tones, unreadable, allow_unlikely_number)
        body, content_type = encode_form({**fields, **looks}, name, content)
        headers = {"Content-Type": content_type, "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return read_as(BroadcastDetail, self._json("", method="POST", body=body, headers=headers, repeatable=True))

    def get(self, broadcast_id: str) -> BroadcastDetail:
        """A broadcast with its counts by outcome."""
        return read_as(BroadcastDetail, self._json(f"/{quoted(broadcast_id, safe='')}"))

    def list(self) -> Iterator[Broadcast]:
        """Broadcasts of this key, newest first; all of them with an administrator key."""
        cursor: Optional[str] = None
        while True:
            page = self._json("", query={"limit": _PER_PAGE, "cursor": cursor})
            yield from (read_as(Broadcast, each) for each in page["broadcasts"])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def recipients(self, broadcast_id: str) -> Iterator[BroadcastRecipient]:
        """The recipients in the order of the list, each with the outcome of its fax."""
        after: Optional[int] = 0
        while after is not None:
            query = {"limit": _RECIPIENTS_PER_PAGE, "after": after}
            page = self._json(f"/{quoted(broadcast_id, safe='')}/recipients", query=query)
            yield from (read_as(BroadcastRecipient, each) for each in page["recipients"])
            after = page["next_after"]

    def pause(self, broadcast_id: str) -> BroadcastDetail:
        """Begins no further fax of it."""
        return self._steer(broadcast_id, "pause")

    def resume(self, broadcast_id: str) -> BroadcastDetail:
        """Goes on with it."""
        return self._steer(broadcast_id, "resume")

    def cancel(self, broadcast_id: str) -> BroadcastDetail:
        """Cancels what has not gone out, once and for all."""
        return self._steer(broadcast_id, "cancel")

    def resend(
        self, broadcast_id: str, *, idempotency_key: Optional[str] = None, allow_unlikely_number: bool = False
    ) -> BroadcastDetail:
        """Sends its failed faxes again, as another broadcast: never those that were delivered or may have been."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "Content-Type": "application/json"}
        body = json_of(allow_unlikely_number=allow_unlikely_number or None)
        return self._steer(broadcast_id, "resend", headers, body)

    def outcomes(self, broadcast_id: str, path: Optional[Path] = None) -> str:
        """The outcomes as CSV; also written to ``path`` when one is given."""
        content = ask(self._connection, f"/fax/broadcasts/{quoted(broadcast_id, safe='')}/outcomes.csv")
        if path is not None:
            write_privately(path, content)
        return content.decode()

    def _steer(
        self, broadcast_id: str, verb: str, headers: Optional[Mapping[str, str]] = None, body: Optional[bytes] = None
    ) -> BroadcastDetail:
        # Doing it again changes nothing.
        path = f"/{quoted(broadcast_id, safe='')}/{verb}"
        how = {"method": "POST", "headers": headers, "body": body, "repeatable": True}
        return read_as(BroadcastDetail, self._json(path, **how))

    def _json(self, path: str, **how: Any) -> Any:
        return json.loads(ask(self._connection, f"/fax/broadcasts{path}", **how))
