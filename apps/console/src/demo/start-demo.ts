import type { LiveMessage } from '@faxdeck/contract'
import { setupWorker } from 'msw/browser'
import { http } from 'msw/http'
import { readKey } from '../api/key.ts'
import { noteSignedIn } from '../api/signed-in.ts'
import { demoWorld } from './demo-world.ts'
import { type Call, fakeGateway } from './fake-gateway.ts'
import { passDay } from './passing-day.ts'
import { bootstrapKey } from './world.ts'

async function callOf(request: Request): Promise<Call> {
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data') === true
  return {
    method: request.method,
    address: new URL(request.url),
    key: request.headers.get('x-api-key'),
    body: isForm ? await request.formData() : await request.text(),
  }
}

/** Whether a request is for a file of the console itself or its documentation, or for somebody else. */
function passes({ origin, pathname }: URL): boolean {
  return origin !== location.origin || [import.meta.env.BASE_URL, '/docs/'].some((base) => pathname.startsWith(base))
}

/**
 * Puts a gateway in memory behind every call of this page, lets a day go on in it, and logs the person in; the key
 * stands ready where they log in again.
 * @throws {Error} where the browser runs no service worker
 */
export async function startDemo(): Promise<void> {
  const world = demoWorld()
  const answer = fakeGateway(world)
  const worker = setupWorker(
    http.get('/admin/events', liveChanges),
    http.all('*', async ({ request }) => (passes(new URL(request.url)) ? undefined : answer(await callOf(request)))),
  )
  await worker.start({
    serviceWorker: { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` },
    onUnhandledFrame: 'bypass',
    quiet: true,
  })
  passDay(world)
  if (!readKey()) noteSignedIn()
  document.documentElement.dataset.demoKey = bootstrapKey
}

/** Milliseconds between two messages. */
const between = 3_000
const message: LiveMessage = { changed: ['jobs', 'inbound', 'approvals', 'health', 'webhooks'] }

/** The stream of what changes: in a demo something always does. */
function liveChanges(): Response {
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
