import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Response as Answer } from 'undici'

/** Bytes of an answer: the largest document a provider may give us. */
const largestAnswer = 50 * 1024 * 1024
const longestMs = 60_000

/** A request that the gateway does not make, or an answer it does not take. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly code = 'FETCH_REFUSED'
}

/** Providers of the public Internet, and stand-ins on this machine or network that a person named by address. */
function isNamedByAddress(host: string): boolean {
  return host === 'localhost' || isIP(host) !== 0
}

const neverReached = ['linkLocal', 'unspecified', 'broadcast', 'multicast', 'reserved']

/** Whether a host may be called at an address that it leads to. */
type MayReach = (host: string, address: string) => boolean

const asProvider: MayReach = (host, address) => {
  const range = ipaddr.process(address).range()
  return isNamedByAddress(host) ? !neverReached.includes(range) : range === 'unicast'
}

function assertReachable(mayReach: MayReach, host: string, address: string): void {
  if (!mayReach(host, address)) throw new FetchRefused(`${host} leads to ${address}, where nothing of ours may go.`)
}

type LookupDone = (error: Error | null, addresses: LookupAddress[]) => void
type Resolve = (host: string) => Promise<LookupAddress[]>

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new FetchRefused(String(thrown)))

/** Resolves a name once; the connection goes to the very addresses that were checked. */
function checkedLookup(resolve: Resolve, mayReach: MayReach) {
  const check = async (host: string) => {
    const addresses = await resolve(host)
    for (const { address } of addresses) assertReachable(mayReach, host, address)
    return addresses
  }
  return (host: string, _options: unknown, done: LookupDone): void => {
    check(host).then(
      (addresses) => done(null, addresses),
      (error: unknown) => done(errorOf(error), []),
    )
  }
}

function assertAllowed(url: URL, mayReach: MayReach): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new FetchRefused(`${url.protocol} is not fetched.`)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) assertReachable(mayReach, host, host)
}

/** The answer as the built-in Response, ending in an error when it grows beyond the limit. */
function bounded(response: Answer, limit: number): Response {
  const { status, statusText } = response
  const headers = [...response.headers]
  // HTTP itself ends the body there, unless it is packed and grows afterwards.
  const declared = response.headers.get('content-length')
  const isShort = declared !== null && Number(declared) <= limit && !response.headers.has('content-encoding')
  if (!response.body || isShort) return new Response(response.body, { status, statusText, headers })
  let seen = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      seen += chunk.byteLength
      if (seen > limit) controller.error(new FetchRefused(`The answer is larger than ${limit} bytes.`))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers })
}

export interface GuardedFetch {
  fetch: typeof globalThis.fetch
  close: () => Promise<void>
}

async function openAgent(resolve: Resolve, mayReach: MayReach) {
  const { Agent, fetch } = await import('undici')
  return { agent: new Agent({ connect: { lookup: checkedLookup(resolve, mayReach), timeout: 10_000 } }), send: fetch }
}

interface FetchOptions {
  /** Bytes of an answer. */
  limit?: number
  /** Asks for the addresses of a name. */
  resolve?: Resolve
  /** Which addresses a host may be called at; those of providers when left out. */
  mayReach?: MayReach
}

/**
 * Outgoing HTTP for providers: no redirects, at most a minute and 50 MB, never to an address inside that a public name
 * leads to. The connection goes to the address that was checked.
 */
export function guardedFetch({
  limit = largestAnswer,
  resolve = (host) => lookup(host, { all: true }),
  mayReach = asProvider,
}: FetchOptions = {}): GuardedFetch {
  let opened: ReturnType<typeof openAgent> | undefined
  return {
    fetch: async (input, init) => {
      // The built-in Request writes forms; the library's fetch, which alone takes our lookup, knows only its own.
      const request = new Request(input, init)
      assertAllowed(new URL(request.url), mayReach)
      const body = request.body ? Buffer.from(await request.arrayBuffer()) : null
      opened ??= openAgent(resolve, mayReach)
      const { agent, send } = await opened
      const { method, url } = request
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(longestMs)])
      const headers = [...request.headers]
      const answer = await send(url, { method, headers, body, signal, redirect: 'manual', dispatcher: agent })
      return bounded(answer, limit)
    },
    close: async () => {
      await (await opened)?.agent.destroy()
    },
  }
}
