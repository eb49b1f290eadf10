"""A Faxdeck gateway."""

import json
import os
import time
import uuid
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Union, overload
from urllib.parse import quote as quoted

from .broadcasts import Broadcasts
from .events import follow_events
from .form import encode_form
from .inbound import Inbound
from .looks import Cover, json_of, labels_of, looks_of
from .managed import Webhooks
from .models import Quote, SplitPart
from .paper import Paper, Path, read_paper, write_privately
from .problems import FaxdeckError, GatewayError, StillUnderWay
from .received import Received
from .request import Connection, ask, asking_with
from .sending import send_each
from .shapes import Fax, FaxEvent, read_as

_USUAL_URL = "http://127.0.0.1:8080"
#: The gateway holds its answer back so long, in seconds.
_LONGEST_HELD = 30.0
_TOO_MANY = 429
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 15.0
_PER_PAGE = 100


class Faxdeck:
    """Sends and receives faxes through a Faxdeck gateway.

    >>> faxdeck = Faxdeck("http://127.0.0.1:8080", api_key="…")
    >>> fax = faxdeck.send("+15555550123", "letter.pdf")
    >>> faxdeck.wait(fax.id).status
    'SUCCESS'

    Without arguments it reads ``FAXDECK_URL`` and ``FAXDECK_API_KEY``. ``timeout`` is seconds for one request;
    ``retries`` is how often a request that may safely be repeated is repeated.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
    ):
        url = (base_url or os.environ.get("FAXDECK_URL") or _USUAL_URL).rstrip("/")
        if not url.startswith(("http://", "https://")):
            raise FaxdeckError(f'"{url}" is not a gateway URL; it must start with http:// or https://.')
        self._connection = Connection(url, api_key or os.environ.get("FAXDECK_API_KEY"), timeout, retries)
        self.received = Received(self._connection)
        self.inbound = Inbound(self._connection)
        self.webhooks = Webhooks(self._connection)
        self.broadcasts = Broadcasts(self._connection)

    @overload
    def send(  # type: ignore[overload-overlap]  # a text is a sequence of texts
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
    def send(
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

    def send(
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
        """Sends a document. It returns when the gateway has it safe, before it is delivered; ``wait`` returns the outcome.

        Several recipients are several faxes: a number that is refused does not stop the others, and PartialSend says at
        the end which faxes were accepted. For many, use ``broadcasts.send``, which takes all or none. An idempotency key is made for each call, so that a
        request whose answer was lost can be repeated here; give your own to be safe across restarts of your program.
        ``tones`` is what the pages are made black and white for: auto, text or photo. ``unreadable`` is what happens to
        a fax with a page that loses writing: refuse, or send it with a note. ``allow_unlikely_number`` dials a number that
        most likely does not exist, which is otherwise refused with the code ``number_unlikely``. ``reference`` (200 characters) and
        ``metadata`` (20 pairs of at most 200 characters) are what your program calls the fax and finds it again by: in
        answers, lists, events and webhooks, never in a log.
        """
        name, content = read_paper(file, file_name)
        key = idempotency_key or str(uuid.uuid4())
        looks = {**looks_of(cover, tones, unreadable, allow_unlikely_number), **labels_of(reference, metadata)}
        if isinstance(to, str):
            return self._submit({"to": to, **looks}, name, content, key)
        return send_each(to, key, lambda number, own: self._submit({"to": number, **looks}, name, content, own))

    def status(self, fax_id: str) -> Fax:
        """The state of a fax."""
        return read_as(Fax, self._json(f"/fax/{quoted(fax_id, safe='')}"))

    def wait(self, fax_id: str, *, timeout: float = 1800.0, on_change: Optional[Callable[[Fax], None]] = None) -> Fax:
        """Waits until the outcome is known: the gateway answers once it is. Raises StillUnderWay when time is up.

        An uncertain fax is answered as it is, with ``needs_attention``: waiting longer would not help.
        """
        until = time.monotonic() + timeout
        pause, last = _FIRST_WAIT, None
        while True:
            asked = time.monotonic()
            held = int(max(0.0, min(_LONGEST_HELD, until - asked)))
            fax = self._held(fax_id, held, until, timeout, last)
            if fax is None:
                continue
            if on_change and (last is None or (fax.status, fax.updated_at) != (last.status, last.updated_at)):
                on_change(fax)
            last = fax
            if fax.is_settled:
                return fax
            # A gateway that answers at once is asked less and less often.
            was_held = held > 0 and time.monotonic() - asked >= held - _FIRST_WAIT
            rest = 0.0 if was_held else pause
            if time.monotonic() + rest >= until:
                raise StillUnderWay(f"Fax {fax_id} is still {fax.status} after {timeout:g} s.")
            time.sleep(rest)
            pause = min(pause * 1.5, _LONGEST_WAIT)

    def _held(self, fax_id: str, seconds: int, until: float, timeout: float, last: Optional[Fax]) -> Optional[Fax]:
        """The fax, once its outcome is known or the seconds are over; None when it is to be asked for again."""
        path = f"/fax/{quoted(fax_id, safe='')}"
        try:
            return read_as(Fax, self._json(path, query={"wait": seconds}, until=until, held=float(seconds)))
        except GatewayError as problem:
            if problem.status != _TOO_MANY:
                raise
            asked = problem.retry_after or 1.0
            if time.monotonic() + asked >= until:
                # There is no room for one more question before the time is up.
                status = last.status if last else "queued"
                raise StillUnderWay(f"Fax {fax_id} is still {status} after {timeout:g} s.") from problem
            time.sleep(asked)
            return None

    def events(self, after: Optional[str] = None) -> Iterator[FaxEvent]:
        """What happens to the faxes that the key sees, as it happens; ``after`` is the id of the last event dealt with.

        A connection that breaks is made again, and what happened meanwhile comes first. Raises GatewayError with the code
        ``reset`` when the gateway no longer knows that event: read the list again.
        """
        return follow_events(self._connection, after)

    def quote(
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
        fields = {**({} if to is None else {"to": to}), **looks_of(cover, tones, None, allow_unlikely_number)}
        body, content_type = encode_form(fields, *read_paper(file, file_name))
        return read_as(Quote, self._json("/fax/quote", **asking_with(body, content_type)))

    def separator(
        self,
        to: str,
        *,
        reference: Optional[str] = None,
        allow_unlikely_number: bool = False,
        path: Optional[Path] = None,
    ) -> bytes:
        """A separator sheet to print, a PDF; also written to ``path`` when one is given.

        The pages after it in a scan go to its number, and the document of the fax is called by its reference.
        """
        body = json_of(to=to, reference=reference, allow_unlikely_number=allow_unlikely_number or None)
        content = ask(self._connection, "/fax/separators", **asking_with(body, "application/json"))
        if path is not None:
            write_privately(path, content)
        return content

    def quote_split(
        self,
        file: Paper,
        *,
        file_name: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
    ) -> List[SplitPart]:
        """To which number each page of a scan with separator sheets goes, and what that takes; nothing is sent."""
        body, content_type = encode_form(looks_of(cover, tones), *read_paper(file, file_name))
        parts = self._json("/fax/split/quote", **asking_with(body, content_type))["parts"]
        return [read_as(SplitPart, part) for part in parts]

    def split(
        self,
        file: Paper,
        *,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
        unreadable: Optional[str] = None,
    ) -> List[Fax]:
        """Sends a scan in which a separator sheet stands before the pages of each fax: all of them or none.

        Raises RefusedError when it is not sure to which number every page goes.
        """
        body, content_type = encode_form(looks_of(cover, tones, unreadable), *read_paper(file, file_name))
        headers = {"Content-Type": content_type, "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        answer = self._json("/fax/split", method="POST", body=body, headers=headers, repeatable=True)
        return [read_as(Fax, fax) for fax in answer["faxes"]]

    def list(self, *, metadata: Optional[Mapping[str, str]] = None, **filters: Any) -> Iterator[Fax]:
        """The faxes that the key sees, newest first.

        ``status``, ``to``, ``reference``, ``metadata``, ``backend``, ``q``, ``from`` and ``to_date`` narrow them:
        ``status`` may be a list, and a fax has all pairs of ``metadata``.
        """
        pairs = [f"{name}:{value}" for name, value in (metadata or {}).items()]
        cursor: Optional[str] = None
        while True:
            page = self._json("/fax", query={**filters, "metadata": pairs, "limit": _PER_PAGE, "cursor": cursor})
            yield from (read_as(Fax, fax) for fax in page["faxes"])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def cancel(self, fax_id: str) -> Fax:
        """Stops a fax that has not been handed to a provider."""
        return read_as(Fax, self._json(f"/fax/{quoted(fax_id, safe='')}/cancel", method="POST"))

    def resend(
        self,
        fax_id: str,
        *,
        idempotency_key: Optional[str] = None,
        unreadable: Optional[str] = None,
        allow_unlikely_number: bool = False,
        force: bool = False,
    ) -> Fax:
        """Sends a finished fax again, as a new one, with an idempotency key of its own unless you give one.

        ``unreadable`` decides about lost writing, ``allow_unlikely_number`` about the number, ``force`` about a copy.
        """
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "Content-Type": "application/json"}
        body = json_of(unreadable=unreadable, allow_unlikely_number=allow_unlikely_number or None, force=force or None)
        how = {"method": "POST", "body": body, "headers": headers, "repeatable": True}
        return read_as(Fax, self._json(f"/fax/{quoted(fax_id, safe='')}/resend", **how))

    def check_health(self) -> bool:
        """Whether the gateway answers. Raises ConnectionFailed when it does not."""
        return bool(self._json("/health")["status"] == "ok")

    def send_fax(self, to: str, file_path: str) -> Fax:
        """The predecessor's name for ``send``."""
        return self.send(to, file_path)

    def get_status(self, job_id: str) -> Fax:
        """The predecessor's name for ``status``."""
        return self.status(job_id)

    def _submit(self, fields: Mapping[str, str], name: str, content: bytes, key: str) -> Fax:
        body, content_type = encode_form(fields, name, content)
        headers = {"Content-Type": content_type, "Idempotency-Key": key}
        return read_as(Fax, self._json("/fax", method="POST", body=body, headers=headers, repeatable=True))

    def _json(self, path: str, **how: Any) -> Any:
        return json.loads(ask(self._connection, path, **how))
