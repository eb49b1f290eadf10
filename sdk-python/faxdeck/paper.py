"""Documents, read and written."""

import os
import pathlib
from typing import IO, Optional, Union

from .problems import FaxdeckError

#: The path of a file.
Path = Union[str, "os.PathLike[str]"]
#: A document: the path of a file, its bytes, or a file that is open for reading bytes.
Paper = Union[str, "os.PathLike[str]", bytes, IO[bytes]]


def read_paper(paper: Paper, file_name: Optional[str]) -> "tuple[str, bytes]":
    """Its name and its bytes. Raises FaxdeckError when it cannot be read."""
    if isinstance(paper, (bytes, bytearray)):
        return file_name or "document", bytes(paper)
    if isinstance(paper, (str, os.PathLike)):
        path = pathlib.Path(paper)
        try:
            return file_name or path.name, path.read_bytes()
        except OSError as error:
            raise FaxdeckError(f"The document cannot be read: {error}") from error
    name = getattr(paper, "name", None)
    return file_name or (os.path.basename(name) if isinstance(name, str) else "document"), paper.read()


def write_privately(path: Path, content: bytes) -> None:
    """Only this user may read a document. A file that exists keeps its own rights."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
