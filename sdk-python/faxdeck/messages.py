"""What webhooks are sent. Times are ISO 8601 in UTC.

Written by ``npm run reference`` from the rows in packages/contract. Do not edit.
"""

from typing import Dict, List, Literal, Optional, TypedDict, Union

from .models import FailureKind, PageCode, ReceivedFaxGroup


class _FaxQueuedMessageData(TypedDict):
    id: str
    provider: str
    test: bool
    reference: Optional[str]
    metadata: Dict[str, str]


class FaxQueuedMessageData(_FaxQueuedMessageData, total=False):
    codes: List[PageCode]
    broadcast_id: str


class FaxQueuedMessage(TypedDict):
    """A fax was accepted, or released or put back into the queue by a person."""

    type: Literal["fax.queued"]
    version: Literal[1]
    timestamp: str
    data: FaxQueuedMessageData


class _FaxSendingMessageData(TypedDict):
    id: str
    provider: str
    test: bool
    reference: Optional[str]
    metadata: Dict[str, str]
    attempt: int


class FaxSendingMessageData(_FaxSendingMessageData, total=False):
    codes: List[PageCode]
    broadcast_id: str


class FaxSendingMessage(TypedDict):
    """An attempt to send a fax begins."""

    type: Literal["fax.sending"]
    version: Literal[1]
    timestamp: str
    data: FaxSendingMessageData


class _FaxDeliveredMessageData(TypedDict):
    id: str
    provider: str
    test: bool
    reference: Optional[str]
    metadata: Dict[str, str]
    pages: Optional[int]


class FaxDeliveredMessageData(_FaxDeliveredMessageData, total=False):
    codes: List[PageCode]
    broadcast_id: str


class FaxDeliveredMessage(TypedDict):
    """The provider, or a person, has confirmed a fax."""

    type: Literal["fax.delivered"]
    version: Literal[1]
    timestamp: str
    data: FaxDeliveredMessageData


class _FaxFailedMessageData(TypedDict):
    id: str
    provider: str
    test: bool
    reference: Optional[str]
    metadata: Dict[str, str]
    error: Optional[str]
    error_kind: Optional[FailureKind]


class FaxFailedMessageData(_FaxFailedMessageData, total=False):
    codes: List[PageCode]
    broadcast_id: str


class FaxFailedMessage(TypedDict):
    """A fax failed for good, or was canceled."""

    type: Literal["fax.failed"]
    version: Literal[1]
    timestamp: str
    data: FaxFailedMessageData


class FaxUncertainMessage(TypedDict):
    """It is unknown whether a fax was accepted. A person decides."""

    type: Literal["fax.uncertain"]
    version: Literal[1]
    timestamp: str
    data: FaxFailedMessageData


class _InboundReceivedMessageDataDocument(TypedDict):
    content_type: Literal["application/pdf"]


class InboundReceivedMessageDataDocument(_InboundReceivedMessageDataDocument, total=False):
    url: str
    expires_at: str
    content: str


_InboundReceivedMessageDataFrom = TypedDict("_InboundReceivedMessageDataFrom", {"from": Optional[str]}, total=False)


class _InboundReceivedMessageData(TypedDict):
    id: str
    provider: str
    test: bool
    pages: Optional[int]


class InboundReceivedMessageData(_InboundReceivedMessageData, _InboundReceivedMessageDataFrom, total=False):
    codes: List[PageCode]
    needs_attention: Literal[True]
    to: Optional[str]
    group: Optional[ReceivedFaxGroup]
    received_at: str
    document: InboundReceivedMessageDataDocument


class InboundReceivedMessage(TypedDict):
    """A received fax is stored and can be read."""

    type: Literal["inbound.received"]
    version: Literal[1]
    timestamp: str
    data: InboundReceivedMessageData


_InboundFailedMessageDataFrom = TypedDict("_InboundFailedMessageDataFrom", {"from": Optional[str]}, total=False)


class _InboundFailedMessageData(TypedDict):
    id: str
    provider: str
    test: bool
    error: Optional[str]
    error_kind: Optional[FailureKind]


class InboundFailedMessageData(_InboundFailedMessageData, _InboundFailedMessageDataFrom, total=False):
    codes: List[PageCode]
    to: Optional[str]
    group: Optional[ReceivedFaxGroup]
    received_at: str
    document: InboundReceivedMessageDataDocument


class InboundFailedMessage(TypedDict):
    """A fax arrived incomplete, or its document could not be fetched."""

    type: Literal["inbound.failed"]
    version: Literal[1]
    timestamp: str
    data: InboundFailedMessageData


_InboundUpdatedMessageDataFrom = TypedDict("_InboundUpdatedMessageDataFrom", {"from": Optional[str]}, total=False)


class _InboundUpdatedMessageData(TypedDict):
    id: str
    provider: str
    test: bool


class InboundUpdatedMessageData(_InboundUpdatedMessageData, _InboundUpdatedMessageDataFrom, total=False):
    codes: List[PageCode]
    to: Optional[str]
    group: Optional[ReceivedFaxGroup]
    received_at: str
    document: InboundReceivedMessageDataDocument


class InboundUpdatedMessage(TypedDict):
    """The text of a received fax was recognized, or it became clear how it ended."""

    type: Literal["inbound.updated"]
    version: Literal[1]
    timestamp: str
    data: InboundUpdatedMessageData


class WebhookTestMessageData(TypedDict):
    id: str


class WebhookTestMessage(TypedDict):
    """A test was sent."""

    type: Literal["webhook.test"]
    version: Literal[1]
    timestamp: str
    data: WebhookTestMessageData


#: A message of a webhook; ``type`` says which. A newer gateway may send other types: ignore those that you do not know.
WebhookMessage = Union[
    FaxQueuedMessage,
    FaxSendingMessage,
    FaxDeliveredMessage,
    FaxFailedMessage,
    FaxUncertainMessage,
    InboundReceivedMessage,
    InboundFailedMessage,
    InboundUpdatedMessage,
    WebhookTestMessage,
]
