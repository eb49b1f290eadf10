"""What the gateway answers. Times are ISO 8601 in UTC."""

from dataclasses import dataclass, fields
from typing import Any, Dict, List, Mapping, Optional, Type, TypeVar

T = TypeVar("T")


def read_as(shape: Type[T], answer: Mapping[str, Any]) -> T:
    """The fields of ``shape`` out of an answer that may have more of them."""
    return shape(**{field.name: answer.get(field.name) for field in fields(shape)})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fax:
    """A fax that was submitted. ``status`` is queued, in_progress, SUCCESS or FAILED."""

    id: str
    to: str
    status: str
    error: Optional[str]
    error_kind: Optional[str]
    needs_attention: bool
    pages: Optional[int]
    pages_confirmed: Optional[int]
    backend: str
    provider_sid: Optional[str]
    created_at: str
    updated_at: str
    #: What your program calls it, as it was given to ``send``.
    reference: Optional[str] = None
    metadata: Optional[Dict[str, str]] = None
    #: The cover page that is page 1: plain, formal or confidential. None without one, and once the document was removed.
    cover: Optional[str] = None
    #: Sent to the built-in test line: no fax went out, and SUCCESS means only that the test ended well.
    test: Optional[bool] = None
    #: The broadcast that it belongs to.
    broadcast_id: Optional[str] = None
    #: What the check of its pages found, each with ``page``, ``kind``, ``sentence`` and ``places``; empty when all is well, and
    #: where the provider draws the pages itself.
    page_notes: Optional[List[Dict[str, Any]]] = None

    @property
    def to_number(self) -> str:
        """The number with all but its last four digits hidden, for logs."""
        return "*" * max(0, len(self.to) - 4) + self.to[-4:]

    @property
    def is_settled(self) -> bool:
        """Finished, or in the hands of a person."""
        return self.status in ("SUCCESS", "FAILED") or self.needs_attention


#: The name that faxes in lists had before.
Job = Fax


@dataclass(frozen=True)
class FaxEvent:
    """What happened to a fax: ``type`` is fax.queued, fax.sending, fax.updated, fax.delivered, fax.failed or fax.uncertain.

    ``fax`` is the fax as it was when the event was sent, which may be later than the event.
    """

    id: str
    type: str
    timestamp: str
    fax: Fax


@dataclass(frozen=True)
class InboundFax:
    """A received fax; ``fr`` is who sent it."""

    id: str
    fr: Optional[str]
    to: Optional[str]
    status: str
    backend: str
    pages: Optional[int]
    received_at: str


@dataclass(frozen=True)
class Quote:
    """What a document takes on the line; ``seconds`` is at 14,400 bit/s."""

    pages: int
    bytes_per_page: List[int]
    seconds: float
    seconds_at_33600: float
    minutes: int
    #: Pages on which writing is lost, or that come out blank, as Faxdeck draws them.
    page_notes: Optional[List[Dict[str, Any]]] = None
    #: The provider draws the pages from the document itself: they may look different, and nothing is held back.
    drawn_by_provider: Optional[bool] = None


@dataclass(frozen=True)
class Broadcast:
    """One document to many numbers. ``state`` is sending, paused, cancelling or finished."""

    id: str
    state: str
    #: Faxes that were accepted: one for each number.
    faxes: int
    #: queued, in_progress, delivered, failed, cancelled and unconfirmed; they add up to ``faxes``.
    counts: Dict[str, int]
    #: Rows left out because their number stood in the list before.
    duplicates: int
    #: Rows skipped because they name no fax number.
    skipped: int
    file_name: Optional[str]
    pages: int
    test: bool
    parent_id: Optional[str]
    cancelled_at: Optional[str]
    created_at: str
    #: Which rows were skipped, each with ``row``, ``text`` and ``reason``; None in a list of broadcasts.
    skipped_rows: Optional[List[Dict[str, Any]]] = None
    #: Failed faxes that can be sent again; None in a list of broadcasts.
    resendable: Optional[int] = None


@dataclass(frozen=True)
class BroadcastRecipient:
    """A recipient of a broadcast, and what became of the fax. ``n`` is its place, from 1."""

    n: int
    fax_id: str
    to: str
    name: Optional[str]
    reference: Optional[str]
    status: str
    needs_attention: bool
    error: Optional[str]
    error_kind: Optional[str]


@dataclass(frozen=True)
class SplitPart(Quote):
    """One fax of a scan: the pages between two separator sheets, and what they take on the line."""

    to: str = ""
    reference: Optional[str] = None
    #: Pages of the scan, counted from 1.
    first_page: int = 0
    last_page: int = 0
