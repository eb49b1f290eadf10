"""A multipart form (RFC 7578) with one file."""

import secrets
from typing import Mapping, Tuple


def _quoted(text: str) -> str:
    # As browsers do: what would end the quotes or the line is written as %XX.
    return text.replace("%", "%25").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def encode_form(fields: Mapping[str, str], file_name: str, content: bytes) -> Tuple[bytes, str]:
    """The body of the form, and its Content-Type."""
    boundary = secrets.token_hex(16)
    parts = []
    for name, value in fields.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"\r\n\r\n'
        parts.append(head.encode() + value.encode() + b"\r\n")
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{_quoted(file_name)}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    parts.append(head.encode() + content + f"\r\n--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"
