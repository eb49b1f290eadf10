/** A request as it is written to the wire. */
export interface Outgoing {
  url: URL
  method: string
  headers: Record<string, string>
  body: Uint8Array | null
}

const usual = { accept: '*/*', 'user-agent': 'Faxdeck' }

/** What was given to fetch, as the built-in Request reads it. */
export async function outgoingOf(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Outgoing> {
  const request = new Request(input, init)
  const { url, method } = request
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : null
  return { url: new URL(url), method, headers: { ...usual, ...Object.fromEntries(request.headers) }, body }
}
