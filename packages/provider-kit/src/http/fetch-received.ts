import { type Host, ProviderProblem } from '../provider.ts'
import { reasonOf } from './reason.ts'

const longestMs = 30_000

interface ReceivedDocument {
  /** Whom is asked, for people. */
  name: string
  /** At the provider's own host, and made of its base address: never one that a notification names. */
  url: string
  authorization: string
}

/**
 * Gets the document of a received fax within 30 seconds; the gateway's fetch follows no redirect and takes no more than 50 MB.
 * @throws {ProviderProblem} with one sentence saying why it could not be had
 */
export async function fetchReceived(
  { name, url, authorization }: ReceivedDocument,
  host: Pick<Host, 'fetch'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  let response
  let bytes
  try {
    response = await host.fetch(url, { headers: { authorization }, signal: within })
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw new ProviderProblem(
      'unreachable',
      `The document could not be fetched from ${name}: ${reasonOf(error, within)}.`,
    )
  }
  if (response.status === 200) return bytes
  const kind = response.status === 401 || response.status === 403 ? 'bad_credentials' : 'rejected'
  throw new ProviderProblem(kind, `${name} did not return the document of the fax (${response.status}).`)
}
