"""Client for Faxdeck, the self-hosted fax gateway. Standard library only."""

from .aio import AsyncFaxdeck
from .broadcasts import Broadcasts, Recipient
from .client import Faxdeck
from .looks import Cover
from .messages import WebhookMessage
from .managed import Webhooks
from .models import (
    Broadcast,
    BroadcastDetail,
    BroadcastRecipient,
    FailureKind,
    FaxEventType,
    FaxStatus,
    InboundFax,
    PageNote,
    Quote,
    ReceivedFax,
    SplitPart,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookEvent,
    WebhookReplay,
    WebhookWithSecret,
)
from .problems import (
    AccessError,
    ConnectionFailed,
    FaxdeckError,
    GatewayError,
    PartialSend,
    RefusedError,
    StillUnderWay,
    WebhookVerificationError,
)
from .shapes import Fax, FaxEvent, Job
from .webhooks import verify_webhook

__version__ = "1.1.0"
__all__ = [
    "AccessError",
    "AsyncFaxdeck",
    "Broadcast",
    "BroadcastDetail",
    "BroadcastRecipient",
    "Broadcasts",
    "ConnectionFailed",
    "Cover",
    "FailureKind",
    "Fax",
    "FaxEvent",
    "FaxEventType",
    "FaxStatus",
    "Faxdeck",
    "FaxdeckError",
    "GatewayError",
    "InboundFax",
    "Job",
    "PageNote",
    "PartialSend",
    "Quote",
    "ReceivedFax",
    "Recipient",
    "RefusedError",
    "SplitPart",
    "StillUnderWay",
    "Webhook",
    "WebhookDelivery",
    "WebhookDeliveryDetail",
    "WebhookEvent",
    "WebhookMessage",
    "WebhookReplay",
    "WebhookVerificationError",
    "WebhookWithSecret",
    "Webhooks",
    "verify_webhook",
]
