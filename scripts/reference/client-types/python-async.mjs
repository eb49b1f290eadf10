import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../repository.mjs'

const width = 120
const method =
  /^(?<overload> {4}@overload\n)? {4}def (?<name>\w+)\((?<parameters>[\s\S]*?)\) -> (?<reply>.+?):(?<rest>.*)\n(?<doc> {8}"""[\s\S]*?"""\n)?/

const head = `"""The client for asyncio. Written by "npm run reference" from the blocking client.

Each call runs the blocking client on a thread: the standard library has no asynchronous HTTP, and so both clients
repeat, wait and fail alike, without a dependency. \`\`connections\`\` says how many calls may be under way at once.
"""

from typing import Any, AsyncIterator, Callable, List, Mapping, Optional, Sequence, Union, overload

from .broadcasts import Broadcasts, Recipient
from .client import Faxdeck
from .inbound import Inbound
from .looks import Cover
from .managed import Webhooks
from .models import (
    Broadcast,
    BroadcastDetail,
    BroadcastRecipient,
    InboundFax,
    Quote,
    ReceivedFax,
    SplitPart,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookReplay,
    WebhookWithSecret,
)
from .paper import Paper, Path
from .received import Received
from .shapes import Fax, FaxEvent
from .threads import Threads, in_loop
`

const part = (name, doc) => `

class Async${name}:
    """${doc}"""

    def __init__(self, blocking: ${name}, threads: Threads):
        self._blocking, self._threads = blocking, threads
`

const client = `

class AsyncFaxdeck:
    """Sends and receives faxes through a Faxdeck gateway, for programs on asyncio.

    >>> async with AsyncFaxdeck("http://127.0.0.1:8080", api_key="…") as faxdeck:
    ...     fax = await faxdeck.send("+15555550123", "letter.pdf")
    ...     outcome = await faxdeck.wait(fax.id)

    A task that is canceled no longer waits; a request under way ends by itself in its thread. Callbacks are called in
    the event loop. \`\`events\`\` keeps one of the \`\`connections\`\`.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        connections: int = 32,
    ):
        self._blocking = Faxdeck(base_url, api_key, timeout=timeout, retries=retries)
        self._threads = Threads(connections)
        #: Received faxes.
        self.received = AsyncReceived(self._blocking.received, self._threads)
        self.inbound = AsyncInbound(self._blocking.inbound, self._threads)
        #: The webhooks of this key.
        self.webhooks = AsyncWebhooks(self._blocking.webhooks, self._threads)
        #: One document to many numbers.
        self.broadcasts = AsyncBroadcasts(self._blocking.broadcasts, self._threads)

    async def __aenter__(self) -> "AsyncFaxdeck":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Takes no further call. Those that are under way end by themselves."""
        self._threads.close()
`

/** The arguments that hand the parameters of a signature on: those after the star by name. */
function argumentsOf(parameters) {
  const [, ...list] = parameters.trim().split(/,\s*(?=\*|\w+:)/)
  const star = list.indexOf('*')
  return list.flatMap((parameter, index) => {
    const name = /^\**\w+/.exec(parameter)?.[0]
    if (name === undefined) return []
    const value = parameter.includes('Callable') ? `in_loop(${name})` : name
    return star === -1 || index < star || name.startsWith('**') ? value : `${name}=${value}`
  })
}

function call(open, list, close) {
  const line = `        ${open}${list.join(', ')}${close}`
  return line.length <= width
    ? `${line}\n`
    : `        ${open}\n${list.map((each) => `            ${each},\n`).join('')}        ${close}\n`
}

/** A docstring of one line stays; of a longer one, the blocking client has the whole. */
const docOf = (doc = '', original) => (doc.trim().includes('\n') ? `        """As \`\`${original}\`\`."""\n` : doc)

function asynchronous({ overload = '', name, parameters, reply, rest, doc }, of) {
  const streams = reply.startsWith('Iterator[')
  const start = `    ${streams ? '' : 'async '}def ${name}(`
  const end = `) -> ${streams ? 'Async' : ''}${reply}:${rest}\n`
  const isLong = !parameters.includes('\n') && start.length + parameters.length + end.length > width + 1
  const signature = `${overload}${start}${isLong ? `\n        ${parameters}\n    ` : parameters}${end}${docOf(doc, `${of}.${name}`)}`
  if (overload) return signature
  const list = argumentsOf(parameters)
  const blocking = `self._blocking.${name}`
  return (
    signature +
    (streams
      ? call(`return self._threads.each(${blocking}(`, list, '))')
      : call('return await self._threads.run(', [blocking, ...list], ')'))
  )
}

/** The public methods of a class of the blocking client, as the client for asyncio has them. */
function methodsOf(file, name) {
  const text = readFileSync(join(repositoryRoot, 'sdk-python/faxdeck', file), 'utf8')
  return text
    .slice(text.indexOf(`\nclass ${name}:`))
    .split(/\n\n(?= {4}(?:def|@overload))/)
    .map((member) => method.exec(member)?.groups)
    .filter((found) => found && !found.name.startsWith('_') && !found.doc?.includes("predecessor's name"))
    .map((found) => `\n${asynchronous(found, name)}`)
    .join('')
}

/** @returns {string} the client for asyncio, for `sdk-python` */
export const pythonAsync = () =>
  head +
  part('Inbound', 'Received faxes.') +
  methodsOf('inbound.py', 'Inbound') +
  part('Received', 'Received faxes.') +
  methodsOf('received.py', 'Received') +
  part('Webhooks', 'Adds, changes and replays webhooks.') +
  methodsOf('managed.py', 'Webhooks') +
  part('Broadcasts', 'One document to many numbers, accepted as a whole or not at all.') +
  methodsOf('broadcasts.py', 'Broadcasts') +
  client +
  methodsOf('client.py', 'Faxdeck')
