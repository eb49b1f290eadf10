"""What the gateway answers. Times are ISO 8601 in UTC.

Written by ``npm run reference`` from the rows in packages/contract. Do not edit.
"""

from dataclasses import dataclass
from typing import Dict, List, Literal, Optional, TypedDict

#: ``SUCCESS`` only when the provider confirmed the fax.
FaxStatus = Literal["queued", "in_progress", "SUCCESS", "FAILED"]

#: Why a fax, or one attempt at it, did not arrive.
FailureKind = Literal[
    "busy",
    "no_answer",
    "line_error",
    "unreachable",
    "rate_limited",
    "rejected",
    "bad_number",
    "bad_credentials",
    "bad_document",
    "partial",
    "uncertain",
    "cancelled",
]

#: ``fax.updated`` is every other change, such as another attempt that is planned.
FaxEventType = Literal["fax.queued", "fax.sending", "fax.updated", "fax.delivered", "fax.failed", "fax.uncertain"]

#: What a webhook can report.
WebhookEvent = Literal[
    "fax.queued",
    "fax.sending",
    "fax.delivered",
    "fax.failed",
    "fax.uncertain",
    "inbound.received",
    "inbound.failed",
    "inbound.updated",
]

#: What a delivery can report: an event, or that somebody tests the webhook.
DeliveryEvent = Literal[
    "fax.queued",
    "fax.sending",
    "fax.delivered",
    "fax.failed",
    "fax.uncertain",
    "inbound.received",
    "inbound.failed",
    "inbound.updated",
    "webhook.test",
]


class Place(TypedDict):
    """A place on a page, in shares of its width and height."""

    left: float
    top: float
    width: float
    height: float


class PageNote(TypedDict):
    """What the check of a page found."""

    #: Counted from 1.
    page: int
    kind: Literal["missing_letters", "lost_writing", "blank_page", "shrunk", "split", "repaired", "left_out", "tidied"]
    sentence: str
    #: Where, in shares of the page's width and height; empty when it is the whole page.
    places: List[Place]


class PageCode(TypedDict):
    """A barcode or matrix code on the first page."""

    #: Its kind: ``QRCode``, ``Code128``, ``DataMatrix``, ``PDF417``, ``EAN13`` and others.
    format: str
    text: str


class HeldFaxFound(TypedDict):
    provider: str
    at: str
    state: Literal["queued", "in_progress", "delivered", "failed"]


class HeldFax(TypedDict):
    """Why a fax is held after a restore, and what the providers say about it."""

    since: str
    #: The time our records are of: what happened after it is not in them.
    as_of: str
    #: When providers were last asked; null before the first time.
    asked_at: Optional[str]
    sentence: str
    #: Faxes to its number that a provider lists and our records lack, oldest first.
    found: List[HeldFaxFound]


class _CallRecordSpeed(TypedDict):
    bps: int


class CallRecordSpeed(_CallRecordSpeed, total=False):
    after_page: int


class _CallRecordStep(TypedDict):
    step: Literal["dialed", "answered", "agreed", "page", "ended"]
    at: str


class CallRecordStep(_CallRecordStep, total=False):
    page: int


class CallRecord(TypedDict, total=False):
    """What a telephone engine reported of a call. What it did not report is absent."""

    #: How the fax traveled: as sound, or as data (T.38).
    transport: Literal["audio", "t38"]
    #: Of the sound, as the engine spells it.
    codec: str
    #: What the other machine calls itself (CSID or TSI). Anybody can write anything there.
    station: str
    #: Whether errors were corrected (ECM).
    ecm: bool
    #: The speed that was agreed on, and each that took its place, in bits per second.
    speeds: List[CallRecordSpeed]
    #: Damaged rows of a received fax.
    bad_rows: int
    #: Confirmed ones.
    pages: int
    #: Why the call ended (ITU-T Q.850).
    cause: int
    #: The last answer of SIP: ``486 Busy Here``.
    sip: str
    #: Of the sound that came in.
    jitter_ms: float
    #: Packets of sound that should have come in and did not.
    lost_packets: int
    #: How far the call had come, and when: ``agreed`` ends phase B of T.30, ``page`` is the confirmation of one.
    steps: List[CallRecordStep]


class BroadcastCounts(TypedDict):
    """How the faxes of a broadcast stand; each is counted once."""

    queued: int
    #: Being prepared or sent, or waiting for another attempt.
    in_progress: int
    delivered: int
    #: Every attempt failed, and nothing of it arrived.
    failed: int
    cancelled: int
    #: It is unknown whether it arrived, or only a part of it did: a person decides.
    unconfirmed: int


class SkippedRow(TypedDict):
    #: The line of the list, or the entry of a JSON array, from 1.
    row: int
    text: str
    reason: str


@dataclass(frozen=True)
class Fax:
    """A fax as its sender sees it. Numbers are not masked: the sender gave them."""

    id: str
    to: str
    status: FaxStatus
    error: Optional[str]
    error_kind: Optional[FailureKind]
    needs_attention: bool
    #: Not null while nothing is sent until a person releases the fax.
    held: Optional[HeldFax]
    #: The provider that it waits for, by name, while nothing is sent to that one; null otherwise.
    waiting_for: Optional[str]
    #: When the next attempt begins; null unless it waits for one.
    next_try_at: Optional[str]
    pages: Optional[int]
    cover: Optional[Literal["plain", "formal", "confidential"]]
    #: What the check of its pages found, once they were drawn here; empty when all writing can be read, and of a fax
    #: whose provider draws the pages itself, which nobody here has checked.
    page_notes: List[PageNote]
    #: The codes on its first page; empty until they were looked for, and once the document was removed.
    codes: List[PageCode]
    pages_confirmed: Optional[int]
    backend: str
    #: True on the test line and in an account in test mode: no fax is sent, and SUCCESS means that the test passed.
    test: bool
    provider_sid: Optional[str]
    reference: Optional[str]
    metadata: Dict[str, str]
    #: The broadcast that it belongs to; null for a fax that was sent by itself.
    broadcast_id: Optional[str]
    created_at: str
    updated_at: str
    #: What this key can do with the fax now; only ``GET /fax/{id}`` says it.
    actions: Optional[List[Literal["cancel", "resend"]]]


@dataclass(frozen=True)
class InboundFax:
    id: str
    fr: Optional[str]
    to: Optional[str]
    status: Literal["waiting", "received", "failed"]
    backend: str
    provider_sid: str
    pages: Optional[int]
    size_bytes: Optional[int]
    sha256: Optional[str]
    #: Why it failed, or why its document is not here yet.
    error: Optional[str]
    #: Why a person should look at it: the provider did not say in known words how it ended.
    concern: Optional[str]
    #: With a concern: what the provider said, at most 8 kB, without secrets.
    notice: Optional[str]
    #: What there is to know of its pages: damaged rows that were repaired, and what was tidied.
    page_notes: List[PageNote]
    #: There is a concern, or pages of a call that broke off are kept, and nobody has marked the fax as read.
    needs_attention: bool
    #: The codes on its first page; empty when it has none, and once the document was removed.
    codes: List[PageCode]
    #: What its call did; null if no telephone engine reported it.
    call: Optional[CallRecord]
    is_test: bool
    #: The group whose number was called; null if there is none.
    group_id: Optional[str]
    read_at: Optional[str]
    document_kept: bool
    #: The document is not in the storage although it was not removed, as far as that is known.
    document_missing: bool
    next_try_at: Optional[str]
    received_at: str
    created_at: str
    updated_at: str
    #: Give it as ``cursor`` to get the faxes that follow this one.
    cursor: str


class ReceivedFaxGroup(TypedDict):
    id: str
    name: str


class ReceivedFaxLinks(TypedDict):
    self: str
    document: Optional[str]


@dataclass(frozen=True)
class ReceivedFax:
    """A received fax as a program sees it."""

    id: str
    to: Optional[str]
    status: Literal["waiting", "received", "failed"]
    backend: str
    provider_sid: str
    pages: Optional[int]
    size_bytes: Optional[int]
    sha256: Optional[str]
    error: Optional[str]
    concern: Optional[str]
    notice: Optional[str]
    page_notes: List[PageNote]
    needs_attention: bool
    codes: List[PageCode]
    call: Optional[CallRecord]
    read_at: Optional[str]
    document_kept: bool
    document_missing: bool
    next_try_at: Optional[str]
    received_at: str
    created_at: str
    updated_at: str
    #: The number that sent it, as the line reported it.
    from_: Optional[str]
    #: True of a simulated fax, which nobody sent.
    test: bool
    #: The group whose number was called; null if there is none.
    group: Optional[ReceivedFaxGroup]
    #: Give it as ``cursor`` with ``order=oldest`` to get what arrived after this fax. Null while it is ``waiting``.
    cursor: Optional[str]
    #: Paths of this gateway. The document is null until it is here, and once it was removed.
    links: ReceivedFaxLinks


@dataclass(frozen=True)
class Quote:
    """What a fax will take on the line, before it is sent."""

    pages: int
    #: Of each page as the line carries it.
    bytes_per_page: List[int]
    #: Predicted length of the call at 14,400 bit/s.
    seconds: float
    seconds_at_33600: float
    #: Begun minutes of ``seconds``.
    minutes: int
    #: Pages on which writing is lost, or that come out blank, as Faxdeck draws them; empty when all writing can be
    #: read.
    page_notes: List[PageNote]
    #: The provider is given the document and draws its pages itself: they may look different, the notes and the bytes
    #: are of what Faxdeck would draw, and no fax is held back for them.
    drawn_by_provider: bool


@dataclass(frozen=True)
class SplitPart(Quote):
    """One fax of an upload that is split at its separator sheets."""

    #: The number on its sheet.
    to: str
    reference: Optional[str]
    #: Pages of the upload, counted from 1; its sheet is the page before.
    first_page: int
    last_page: int


@dataclass(frozen=True)
class Broadcast:
    """One document to many numbers."""

    id: str
    #: ``paused``: no fax of it is begun. ``cancelling``: calls that are up are waited for. ``finished``: nothing more
    #: happens by itself.
    state: Literal["sending", "paused", "cancelling", "finished"]
    #: Faxes it has: one for each number.
    faxes: int
    counts: BroadcastCounts
    #: Rows left out because their number stood in the list before.
    duplicates: int
    #: Rows skipped because they name no fax number.
    skipped: int
    file_name: Optional[str]
    #: Of each fax, its cover page included.
    pages: int
    #: True on the test line and in an account in test mode: no fax is sent.
    test: bool
    #: The broadcast whose failed faxes this one sends again.
    parent_id: Optional[str]
    cancelled_at: Optional[str]
    created_at: str


@dataclass(frozen=True)
class BroadcastDetail(Broadcast):
    #: Failed faxes that are sent again: not canceled, not sent again since, and not of those below.
    resendable: int
    #: Failed faxes to a number that is not in service, or that a person answered: sent again only with ``force``.
    number_failed: int
    skipped_rows: List[SkippedRow]


@dataclass(frozen=True)
class BroadcastRecipient:
    #: Its place in the broadcast, from 1.
    n: int
    fax_id: str
    to: str
    name: Optional[str]
    reference: Optional[str]
    status: FaxStatus
    needs_attention: bool
    error: Optional[str]
    error_kind: Optional[FailureKind]


class WebhookAttempt(TypedDict):
    at: str
    duration_ms: int
    #: Of the answer; null when none came.
    response_status: Optional[int]
    error: Optional[str]
    #: The first 1,024 bytes of the answer as text; null when it had none.
    response_body: Optional[str]


@dataclass(frozen=True)
class Webhook:
    """Where messages go, and about what."""

    id: str
    url: str
    description: Optional[str]
    events: List[WebhookEvent]
    inbound_content: Literal["id", "details", "link", "document"]
    enabled: bool
    #: Why it was switched off without a person; null otherwise.
    disabled_reason: Optional[str]
    #: When the first of the tries was made that have all failed since. After five days it is switched off.
    failing_since: Optional[str]
    #: Until when messages are signed with the secret before as well.
    previous_secret_until: Optional[str]
    #: The key it belongs to: it only reports on what that key sees. Null for one of the installation, which reports on
    #: all.
    key_id: Optional[str]
    created_at: str


@dataclass(frozen=True)
class WebhookWithSecret(Webhook):
    """A new webhook, or one with a new secret: no other answer contains it."""

    secret: str


@dataclass(frozen=True)
class WebhookDelivery:
    """One message to a webhook, and what became of it."""

    #: The ``webhook-id`` of the message, the same at every try.
    id: str
    webhook_id: str
    event: DeliveryEvent
    #: The job or received fax it reports on; of a test, the webhook itself.
    subject_id: str
    state: Literal["pending", "delivered", "failed"]
    tries: int
    next_try_at: Optional[str]
    last_try_at: Optional[str]
    #: Of the last answer; null when none came.
    response_status: Optional[int]
    error: Optional[str]
    #: The JSON as it is signed and sent, without the link or document that is added at each try.
    payload: str
    created_at: str
    #: Give it as ``cursor`` to get the messages that follow this one.
    cursor: str


@dataclass(frozen=True)
class WebhookDeliveryDetail(WebhookDelivery):
    """A delivery with each try."""

    #: The last 20 tries, oldest first.
    attempts: List[WebhookAttempt]


@dataclass(frozen=True)
class WebhookReplay:
    """What a replay put on its way."""

    #: From when on: the time that was given, or 30 days ago, when messages begin to be removed.
    since: str
    #: Messages that were put on their way.
    queued: int
    #: Messages that are on their way already, or were replayed less than ten minutes ago.
    skipped: int
    #: Give it as ``since`` to go on: 1,000 messages are replayed by one call. Null when that was all.
    next_since: Optional[str]
