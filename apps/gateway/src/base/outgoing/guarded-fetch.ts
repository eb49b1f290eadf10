import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { neverConnected } from '@faxdeck/provider-kit'
import { answerOf, FetchRefused } from './answer.ts'
import { deadline, inPieces, outgoingOf } from './outgoing.ts'

/** Bytes of an answer: the largest document a provider may give us. */
const largestAnswer = 50 * 1024 * 1024
/** How long a provider may keep us waiting: for room for the next piece of a document, and for its answer. */
const longestWaitMs = 60_000

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

const neverOurs = ['linkLocal', 'unspecified', 'broadcast', 'multicast']

/** Our own public address, which a person set, may lead into any network of ours; what answers there is never shown. */
export const atOwnAddress: MayReach = (_host, address) => !neverOurs.includes(ipaddr.process(address).range())

function assertReachable(mayReach: MayReach, host: string, address: string): void {
  if (!mayReach(host, address))
    throw new FetchRefused(`${host} leads to ${address}, where the gateway must not connect.`)
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
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('An address that contains a password is not fetched.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) assertReachable(mayReach, host, host)
}

export interface GuardedFetch {
  fetch: typeof globalThis.fetch
  close: () => Promise<void>
}

async function openAgent(resolve: Resolve, mayReach: MayReach, timeout: number) {
  const { Agent, buildConnector } = await import('undici')
  const connect = buildConnector({ lookup: checkedLookup(resolve, mayReach), timeout })
  return new Agent({
    // Until there is a connection, with TLS where it is to have it, nothing of a request has left.
    connect: (to, done) =>
      connect(to, (...[error, socket]) => {
        if (error) done(Object.assign(error, neverConnected), null)
        else done(null, socket)
      }),
  })
}

export interface FetchOptions {
  /** Bytes of an answer. */
  limit?: number
  /** Cuts a larger answer, or one that breaks off, instead of failing. */
  cut?: boolean
  /** Asks for the addresses of a name. */
  resolve?: Resolve
  /** Which addresses a host may be called at; those of providers when left out. */
  mayReach?: MayReach
  /** Milliseconds until a connection has to be there. */
  connectMs?: number
  /** Milliseconds in which something has to move. */
  waitMs?: number
}

/**
 * Outgoing HTTP for providers: no redirects, at most a minute and 50 MB, never to an address inside that a public name
 * leads to. The connection goes to the address that was checked. A document that goes out slowly may take its time, as
 * long as it goes on.
 */
export function guardedFetch({
  limit = largestAnswer,
  cut = false,
  resolve = (host) => lookup(host, { all: true }),
  mayReach = asProvider,
  connectMs = 10_000,
  waitMs = longestWaitMs,
}: FetchOptions = {}): GuardedFetch {
  let opened: ReturnType<typeof openAgent> | undefined
  // The signal of a Request is lost when the Request is collected, although somebody listens to it: those given are held
  // until they are answered, and of one that is made only to be read the signal is not used.
  const underWay = new Set<Parameters<typeof fetch>[0]>()
  return {
    fetch: async (input, init) => {
      assertAllowed(new URL(input instanceof Request ? input.url : input), mayReach)
      const given = init?.signal ?? (input instanceof Request ? input.signal : undefined)
      const { signal, renew, end } = deadline(waitMs, given)
      underWay.add(input)
      try {
        const { url, body, ...request } = await outgoingOf(input, init)
        opened ??= openAgent(resolve, mayReach, connectMs)
        const agent = await opened
        const to = { ...request, origin: url.origin, path: url.pathname + url.search }
        const answer = await agent.request({ ...to, body: body && inPieces(body, renew), signal })
        return await answerOf(answer, limit, cut)
      } finally {
        end()
        underWay.delete(input)
      }
    },
    close: async () => {
      await (await opened)?.destroy()
    },
  }
}
