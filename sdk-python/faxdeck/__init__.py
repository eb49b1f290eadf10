"""Client for Faxdeck, the self-hosted fax gateway. Standard library only."""

from .broadcasts import Broadcasts, Recipient
from .client import Faxdeck
from .looks import Cover
from .problems import (
    AccessError,
    ConnectionFailed,
    FaxdeckError,
    GatewayError,
    RefusedError,
    StillUnderWay,
)
from .shapes import Broadcast, BroadcastRecipient, Fax, FaxEvent, InboundFax, Job, Quote, SplitPart

__version__ = "1.0.2"
__all__ = [
    "AccessError",
    "Broadcast",
    "BroadcastRecipient",
    "Broadcasts",
    "ConnectionFailed",
    "Cover",
    "Fax",
    "FaxEvent",
    "Faxdeck",
    "FaxdeckError",
    "GatewayError",
    "InboundFax",
    "Job",
    "Quote",
    "Recipient",
    "RefusedError",
    "SplitPart",
    "StillUnderWay",
]
