"""The client for asyncio against a gateway that runs: FAXDECK_URL and FAXDECK_API_KEY name it."""

import asyncio
import os
import stat
import tempfile
import unittest

from faxdeck import AsyncFaxdeck


class FromAnEventLoop(unittest.TestCase):
    def test_sends_and_waits_from_an_event_loop_many_at_once(self):
        async def send_all():
            async with AsyncFaxdeck(connections=8) as faxdeck:
                seen = []

                async def send(n):
                    fax = await faxdeck.send(f"+155555520{n:02}", b"At once", reference="loop")
                    return await faxdeck.wait(fax.id, on_change=lambda each: seen.append(each.id))

                faxes = await asyncio.gather(*(send(n) for n in range(12)))
                listed = [fax.id async for fax in faxdeck.list(reference="loop")]
                with tempfile.TemporaryDirectory() as folder:
                    sheet = os.path.join(folder, "sheet.pdf")
                    await faxdeck.separator("+15555550123", path=sheet)
                    mode = stat.S_IMODE(os.stat(sheet).st_mode)
                return faxes, listed, seen, mode

        faxes, listed, seen, mode = asyncio.run(send_all())
        self.assertEqual({fax.status for fax in faxes}, {"SUCCESS"})
        self.assertEqual(set(listed), {fax.id for fax in faxes})
        self.assertEqual(set(seen), set(listed))
        self.assertEqual(mode, 0o600)


if __name__ == "__main__":
    unittest.main()
