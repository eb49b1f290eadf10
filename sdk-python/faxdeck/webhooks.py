"""Messages of webhooks."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import List, Mapping, Optional, Sequence, Union

from .messages import WebhookMessage
from .problems import FaxdeckError, WebhookVerificationError

_PREFIX = "whsec_"


def _decoded(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _key_of(secret: str) -> bytes:
    key = _decoded(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else None
    if not key:
        raise FaxdeckError("A webhook secret is whsec_ followed by Base64.")
    return key


def _header_of(headers: Mapping[str, str], wanted: str) -> str:
    for name, value in headers.items():
        if name.lower() == wanted and value:
            return value
    raise WebhookVerificationError(f"The header {wanted} is missing.")


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
) -> WebhookMessage:
    """Checks that a message comes from your gateway and is recent, and reads it.

    ``body`` is the body as it arrived, before it is parsed. ``secret`` is ``whsec_…``, or several while you change it.
    ``tolerance`` is how many seconds the message may be older or newer than this machine's clock. The same message may
    come twice: ignore a ``webhook-id`` that you have processed. Signatures are compared in constant time. Source:
    Standard Webhooks 1.0.0. Raises WebhookVerificationError when the message is not to be believed.
    """
    message_id, timestamp, given = (
        _header_of(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not is_number or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError(f"The message is more than {tolerance:g} s older or newer than the clock of this machine.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode() + content
    signatures = [_decoded(each[3:]) for each in given.split(" ") if each.startswith("v1,")]
    keys: List[bytes] = [_key_of(each) for each in ([secret] if isinstance(secret, str) else secret)]
    genuine = False
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in signatures:
            genuine |= signature is not None and hmac.compare_digest(expected, signature)
    if not genuine:
        raise WebhookVerificationError("The signature does not match the secret.")
    message: WebhookMessage = json.loads(content)
    return message
