"""Client for Faxdeck, the self-hosted fax gateway. Standard library only."""

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
from .shapes import Fax, InboundFax, Job, Quote, SplitPart

__version__ = "1.0.2"
__all__ = [
    "AccessError",
    "ConnectionFailed",
    "Cover",
    "Fax",
    "Faxdeck",
    "FaxdeckError",
    "GatewayError",
    "InboundFax",
    "Job",
    "Quote",
    "RefusedError",
    "SplitPart",
    "StillUnderWay",
]
