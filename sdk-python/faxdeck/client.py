"""A Faxdeck gateway."""

import json
import os
import time
import uuid
from pathlib import Path
from typing import IO, Any, Callable, Iterator, List, Mapping, Optional, Sequence, Union, overload
from urllib.parse import quote as quoted

from .form import encode_form
from .looks import Cover, looks_of
from .problems import FaxdeckError, StillUnderWay
from .request import Connection, ask
from .shapes import Fax, InboundFax, Job, Quote, SplitPart, read_as

#: A document: the path of a file, its bytes, or a file that is open for reading bytes.
Paper = Union[str, "os.PathLike[str]", bytes, IO[bytes]]

_USUAL_URL = "http://127.0.0.1:8080"
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 15.0
_PER_PAGE = 100


def _read(paper: Paper, file_name: Optional[str]) -> "tuple[str, bytes]":
    if isinstance(paper, (bytes, bytearray)):
        return file_name or "document", bytes(paper)
    if isinstance(paper, (str, os.PathLike)):
        path = Path(paper)
        try:
            return file_name or path.name, path.read_bytes()
        except OSError as error:
            raise FaxdeckError(f"The document cannot be read: {error}") from error
    name = getattr(paper, "name", None)
    return file_name or (os.path.basename(name) if isinstance(name, str) else "document"), paper.read()


def _write_privately(path: "Union[str, os.PathLike[str]]", content: bytes) -> None:
    """Only this user may read a document. A file that exists keeps its own rights."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)


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
            raise FaxdeckError(f'"{url}" is no address of a gateway: begin with http.')
        self._connection = Connection(url, api_key or os.environ.get("FAXDECK_API_KEY"), timeout, retries)
        #: Received faxes.
        self.inbound = Inbound(self._connection)

    @overload
    def send(
        self,
        to: str,
        file: Paper,
        *,
        file_name: Optional[str] = ...,
        idempotency_key: Optional[str] = ...,
        cover: Optional[Cover] = ...,
        tones: Optional[str] = ...,
        unreadable: Optional[str] = ...,
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
    ) -> Union[Fax, List[Fax]]:
        """Sends a document. It returns when the gateway has it safe, before it is delivered; ``wait`` tells the outcome.

        Several recipients are several faxes: one that is refused raises, and those before it are on their way.
        An idempotency key is made for each call, so that a request whose answer was lost can be repeated here; give
        your own to be safe across restarts of your program. ``tones`` is what the pages are made black and white for:
        auto, text or photo. ``unreadable`` is what becomes of a fax with a page that loses writing: refuse, or send it
        with a note.
        """
        name, content = _read(file, file_name)
        key = idempotency_key or str(uuid.uuid4())
        looks = looks_of(cover, tones, unreadable)
        if isinstance(to, str):
            return self._submit({"to": to, **looks}, name, content, key)
        return [self._submit({"to": number, **looks}, name, content, f"{key}:{number}") for number in to]

    def status(self, fax_id: str) -> Fax:
        """The state of a fax."""
        return read_as(Fax, self._json(f"/fax/{quoted(fax_id, safe='')}"))

    def wait(self, fax_id: str, *, timeout: float = 1800.0, on_change: Optional[Callable[[Fax], None]] = None) -> Fax:
        """Asks until the outcome is known, more seldom the longer it takes. Raises StillUnderWay when time is up.

        An uncertain fax is answered as it is, with ``needs_attention``: waiting longer would not tell.
        """
        until = time.monotonic() + timeout
        pause, last = _FIRST_WAIT, None
        while True:
            fax = read_as(Fax, self._json(f"/fax/{quoted(fax_id, safe='')}", until=until))
            if on_change and (fax.status, fax.updated_at) != last:
                on_change(fax)
            last = (fax.status, fax.updated_at)
            if fax.is_settled:
                return fax
            if time.monotonic() + pause > until:
                raise StillUnderWay(f"Fax {fax_id} is still {fax.status} after {timeout:g} s.")
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_WAIT)

    def quote(
        self,
        file: Paper,
        *,
        to: Optional[str] = None,
        file_name: Optional[str] = None,
        cover: Optional[Cover] = None,
        tones: Optional[str] = None,
    ) -> Quote:
        """Pages, bytes and predicted minutes of a document and its cover page, with ``to`` on it; nothing is sent."""
        fields = {**({} if to is None else {"to": to}), **looks_of(cover, tones)}
        body, content_type = encode_form(fields, *_read(file, file_name))
        headers = {"Content-Type": content_type}
        return read_as(Quote, self._json("/fax/quote", method="POST", body=body, headers=headers, repeatable=True))

    def separator(
        self,
        to: str,
        *,
        reference: Optional[str] = None,
        path: "Optional[Union[str, os.PathLike[str]]]" = None,
    ) -> bytes:
        """A separator sheet to print, a PDF; also written to ``path`` when one is given.

        The pages after it in a scan go to its number, and the document of the fax is called by its reference.
        """
        body = json.dumps({"to": to, **({} if reference is None else {"reference": reference})}).encode()
        headers = {"Content-Type": "application/json"}
        content = ask(self._connection, "/fax/separators", method="POST", body=body, headers=headers, repeatable=True)
        if path is not None:
            _write_privately(path, content)
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
        body, content_type = encode_form(looks_of(cover, tones), *_read(file, file_name))
        how = {"method": "POST", "body": body, "headers": {"Content-Type": content_type}, "repeatable": True}
        return [read_as(SplitPart, part) for part in self._json("/fax/split/quote", **how)["parts"]]

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
        body, content_type = encode_form(looks_of(cover, tones, unreadable), *_read(file, file_name))
        headers = {"Content-Type": content_type, "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        answer = self._json("/fax/split", method="POST", body=body, headers=headers, repeatable=True)
        return [read_as(Fax, fax) for fax in answer["faxes"]]

    def list(self, **filters: Any) -> Iterator[Job]:
        """All faxes, newest first: ``status``, ``backend``, ``q``, ``from``, ``to_date`` narrow them.

        Requires an administrator key.
        """
        cursor: Optional[str] = None
        while True:
            page = self._json("/admin/fax-jobs", query={**filters, "limit": _PER_PAGE, "cursor": cursor})
            yield from (read_as(Job, job) for job in page["jobs"])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def cancel(self, fax_id: str) -> Job:
        """Stops a fax that has not been handed to a provider. Requires an administrator key."""
        return read_as(Job, self._json(f"/admin/fax-jobs/{quoted(fax_id, safe='')}/cancel", method="POST"))

    def resend(self, fax_id: str, *, idempotency_key: Optional[str] = None, unreadable: Optional[str] = None) -> Job:
        """Sends a finished fax again, as a new one. Requires an administrator key.

        An idempotency key is made for each call; give your own to be safe across restarts of your program.
        ``unreadable`` decides anew about pages that lose writing.
        """
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4()), "Content-Type": "application/json"}
        body = json.dumps({} if unreadable is None else {"unreadable": unreadable}).encode()
        path = f"/admin/fax-jobs/{quoted(fax_id, safe='')}/resend"
        return read_as(Job, self._json(path, method="POST", body=body, headers=headers, repeatable=True))

    def check_health(self) -> bool:
        """Whether the gateway answers. Raises ConnectionFailed when it does not."""
        return self._json("/health")["status"] == "ok"

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


class Inbound:
    """Received faxes."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def list(self) -> Iterator[InboundFax]:
        """Received faxes, newest first, page after page as they are asked for."""
        cursor: Optional[str] = None
        while True:
            page = json.loads(ask(self._connection, "/inbound", query={"limit": _PER_PAGE, "cursor": cursor}))
            yield from (read_as(InboundFax, fax) for fax in page)
            if len(page) < _PER_PAGE:
                return
            cursor = page[-1]["cursor"]

    def download(self, fax_id: str, path: Optional[Union[str, "os.PathLike[str]"]] = None) -> bytes:
        """The document of a received fax, a PDF; also written to ``path`` when one is given."""
        content = ask(self._connection, f"/inbound/{quoted(fax_id, safe='')}/pdf")
        if path is not None:
            _write_privately(path, content)
        return content
