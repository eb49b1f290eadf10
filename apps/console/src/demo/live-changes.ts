import type { LiveMessage } from '@faxdeck/contract'

/** Milliseconds between two messages. */
const between = 3_000
const message: LiveMessage = { changed: ['jobs', 'inbound', 'approvals', 'health', 'webhooks'] }

/** The stream of what changes: in a demo something always does. */
export function liveChanges(): Response {
  const block = new TextEncoder().encode(`event: change\ndata: ${JSON.stringify(message)}\n\n`)
  let timer: ReturnType<typeof setInterval> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      timer = setInterval(() => stream.enqueue(block), between)
    },
    cancel: () => clearInterval(timer),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
