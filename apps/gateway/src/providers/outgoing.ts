/** A request as it is written to the wire. */
export interface Outgoing {
  url: URL
  method: string
  headers: Record<string, string>
  body: Uint8Array | string | null
  signal: AbortSignal | null
}

const usual = { accept: '*/*', 'user-agent': 'Faxdeck' }

/** What fetch says of a body by itself. */
function typeOf(body: unknown): Record<string, string> {
  if (body instanceof URLSearchParams) return { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
  return typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
}

/** Bodies that are written as they stand. */
const isPlain = (body: unknown): body is Uint8Array<ArrayBuffer> | URLSearchParams | string =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams

/**
 * What was given to fetch. Whatever is not plain is made so by the built-in Request, which takes several times as long
 * as all the rest.
 */
export async function outgoingOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Outgoing> {
  const { body = null } = init
  if (input instanceof Request || !(body === null || isPlain(body))) {
    const request = new Request(input, init)
    const { url, method, signal } = request
    const headers = { ...usual, ...Object.fromEntries(request.headers) }
    const bytes = request.body ? Buffer.from(await request.arrayBuffer()) : null
    return { url: new URL(url), method, headers, body: bytes, signal }
  }
  const own = Object.fromEntries(new Headers(init.headers))
  return {
    url: new URL(input),
    method: (init.method ?? 'GET').toUpperCase(),
    headers: { ...usual, ...(body === null ? {} : typeOf(body)), ...own },
    body: body instanceof URLSearchParams ? body.toString() : body,
    signal: init.signal ?? null,
  }
}
