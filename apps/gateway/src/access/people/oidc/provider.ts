import { setTimeout as delay } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { JWTVerifyGetKey } from 'jose'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { isLoopback } from '../../../base/http/callers/network.ts'
import { atOwnAddress, guardedFetch } from '../../../base/outgoing/guarded-fetch.ts'

/** What identifies a provider and us there. */
export interface ProviderSettings {
  oidc_issuer: string | null
  oidc_client_id: string | null
  oidc_client_secret: string | null
}

const timeoutSeconds = 10
/** What a provider says about itself is read again after an hour; its keys whenever it signs with another one. */
const cachedMs = 3_600_000
/** A provider that has just failed is asked once more after a moment. */
const retryMs = 300
const quicklyMs = 3000
/** Bytes of an answer: what a provider says about itself, its keys, tokens and claims. */
const largestAnswer = 1024 * 1024

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
const isHere = (host: string) => host === 'localhost' || isLoopback(host)

/**
 * An administrator names the issuer, which may be in a network of ours. Hosts that the provider names by itself are on the
 * public Internet, or the issuer's own. Plain HTTP stays on this machine.
 */
function fetchFor(issuer: URL) {
  const own = hostOf(issuer)
  const mayReach = (host: string, address: string) =>
    host === own ? atOwnAddress(host, address) : ipaddr.process(address).range() === 'unicast'
  const { fetch, close } = guardedFetch({ limit: largestAnswer, mayReach, connectMs: timeoutSeconds * 1000 })
  const checked: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'https:' && !(isHere(own) && isHere(hostOf(url))))
      throw new TypeError(`${url.host} is not called over plain HTTP.`)
    return fetch(input, init)
  }
  return { fetch: checked, close }
}

/** The library is loaded by whoever signs in first, not by every start. */
export const loadLibrary = () => import('openid-client')

/** By whom and with which keys tokens are signed. */
export interface Signer {
  issuer: string
  keys: JWTVerifyGetKey
}

interface Known {
  key: string
  until: number
  configuration: Promise<Configuration>
  fetch: typeof globalThis.fetch
  keys?: JWTVerifyGetKey
  close: () => Promise<void>
}

/** What the provider of single sign-on says about itself: asked for when first needed, and kept for an hour. */
export class OidcProvider {
  readonly #settings: () => ProviderSettings
  #known: Known | undefined

  constructor(settings: () => ProviderSettings) {
    this.#settings = settings
  }

  /** @throws what made the provider unreachable or unbelievable; the next call asks again */
  async configuration(): Promise<Configuration> {
    const { oidc_issuer: issuer, oidc_client_id: id, oidc_client_secret: secret } = this.#settings()
    if (!issuer || !id) throw new TypeError('Single sign-on is not set up.')
    const key = JSON.stringify([issuer, id, secret])
    if (this.#known?.key === key && this.#known.until > performance.now()) return this.#known.configuration
    const before = this.#known
    const { fetch, close } = fetchFor(new URL(issuer))
    const configuration = discover(new URL(issuer), { id, secret }, fetch)
    const known: Known = { key, until: performance.now() + cachedMs, configuration, fetch, close }
    this.#known = known
    configuration.catch(() => {
      if (this.#known === known) this.#known = undefined
      void close()
    })
    await before?.close()
    return configuration
  }

  /** Who signs, and the keys; they are asked for again, twice a minute at most, when one is not known. */
  async signer(): Promise<Signer> {
    const { issuer, jwks_uri: uri } = (await this.configuration()).serverMetadata()
    const known = this.#known
    if (!known || uri === undefined) throw new TypeError('The provider publishes no keys.')
    const { createRemoteJWKSet, customFetch } = await import('jose')
    known.keys ??= createRemoteJWKSet(new URL(uri), { [customFetch]: known.fetch })
    return { issuer, keys: known.keys }
  }

  async close(): Promise<void> {
    await this.#known?.close()
  }
}

/** Asks again after a failure that came at once: a person waits, who should not wait twice for a slow provider. */
async function twice<T>(ask: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await ask()
  } catch (error) {
    if (performance.now() - began > quicklyMs) throw error
    await delay(retryMs)
    return ask()
  }
}

/** The secret goes in the body where the provider says that it takes it there; else in the header, the standard. */
async function authenticationWith(secret: string | null): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await loadLibrary()
  if (secret === null) return None()
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    ;(takesBody ? inBody : inHeader)(server, ...rest)
  }
}

async function discover(
  issuer: URL,
  { id, secret }: { id: string; secret: string | null },
  fetch: typeof globalThis.fetch,
): Promise<Configuration> {
  const library = await loadLibrary()
  // Beyond what the code flow demands: the ID token is believed for its signature, not only for where it came from.
  const execute = [library.enableNonRepudiationChecks]
  // Marked as deprecated to stand out: `fetchFor` keeps it on this machine.
  if (issuer.protocol === 'http:') execute.push(library.allowInsecureRequests)
  const options = { execute, timeout: timeoutSeconds, [library.customFetch]: fetch as CustomFetch }
  const authentication = await authenticationWith(secret)
  return twice(() => library.discovery(issuer, id, {}, authentication, options))
}
