import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent } from 'undici'

/** Bytes of an answer: the largest document a provider may give us. */
const largestAnswer = 50 * 1024 * 1024
const longestMs = 60_000

/** A request that the gateway does not make, or an answer it does not take. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
}

/** Providers of the public Internet, and stand-ins on this machine or network that a person named by address. */
function isNamedByAddress(host: string): boolean {
  return host === 'localhost' || isIP(host) !== 0
}

const neverReached = ['linkLocal', 'unspecified', 'broadcast', 'multicast', 'reserved']

function assertReachable(host: string, address: string): void {
  const range = ipaddr.process(address).range()
  const allowed = isNamedByAddress(host) ? !neverReached.includes(range) : range === 'unicast'
  if (!allowed) throw new FetchRefused(`${host} leads to ${address}, which is no address of a provider.`)
}

type LookupDone = (error: Error | null, addresses: LookupAddress[]) => void

/** Resolves a name once; the connection goes to the very addresses that were checked. */
function checkedLookup(host: string, _options: unknown, done: LookupDone): void {
  lookup(host, { all: true }).then(
    (addresses) => {
      try {
        for (const { address } of addresses) assertReachable(host, address)
        done(null, addresses)
      } catch (error) {
        done(error instanceof Error ? error : new FetchRefused(host), [])
      }
    },
    (error: unknown) => done(error instanceof Error ? error : new FetchRefused(host), []),
  )
}

function assertAllowed(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new FetchRefused(`${url.protocol} is not fetched.`)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) assertReachable(host, host)
}

/** The same answer, ending in an error when it grows beyond the limit. */
function bounded(response: Response, limit: number): Response {
  if (!response.body) return response
  let seen = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      seen += chunk.byteLength
      if (seen > limit) controller.error(new FetchRefused(`The answer is larger than ${limit} bytes.`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers })
}

export interface GuardedFetch {
  fetch: typeof globalThis.fetch
  close: () => Promise<void>
}

/**
 * Outgoing HTTP for providers: no redirects, at most a minute and 50 MB, never to an address inside that a public name
 * leads to. The connection goes to the address that was checked.
 */
export function guardedFetch(limit = largestAnswer): GuardedFetch {
  let agent: Promise<Agent> | undefined
  const open = async () => {
    const undici = await import('undici')
    return new undici.Agent({ connect: { lookup: checkedLookup, timeout: 10_000 } })
  }
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init)
      assertAllowed(new URL(request.url))
      agent ??= open()
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(longestMs)])
      const options = { redirect: 'manual', signal, dispatcher: await agent } as const
      // The types of the built-in fetch know an older dispatcher; at run time it takes this one.
      return bounded(await fetch(request, options as unknown as RequestInit), limit)
    },
    close: async () => {
      await (await agent)?.destroy()
    },
  }
}
