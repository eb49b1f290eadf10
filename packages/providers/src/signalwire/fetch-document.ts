import { type Host, ProviderProblem, reasonOf, refusalOf } from '@faxdeck/provider-kit'
import { type Account, ask, name } from './account.ts'
import { readFax, readRefusal } from './fax.ts'

const longestMs = 30_000

/** Documents lie at `files.signalwire.com` and the hosts of spaces; the emulator keeps them where its API is. */
function mayBeAsked(url: URL, account: Account): boolean {
  if (url.origin === new URL(account.origin).origin) return true
  return url.protocol === 'https:' && url.port === '' && /^([a-z0-9-]+\.)+signalwire\.com$/.test(url.hostname)
}

/** The address of a received document. @param reference the address itself, or the id of its fax */
async function addressOf(reference: string, account: Account, host: Host, signal: AbortSignal): Promise<URL> {
  let address = reference
  if (!reference.includes('/')) {
    const answer = await ask(account, `${account.faxes}/${encodeURIComponent(reference)}`, host, signal)
    if (answer.status !== 200) throw refusalOf(name, answer, readRefusal(answer.body).words)
    address = readFax(answer.body)?.mediaUrl ?? ''
  }
  const url = address === '' ? null : URL.parse(address, account.faxes)
  if (!url) throw new ProviderProblem('rejected', `${name} has no document with this fax.`)
  if (mayBeAsked(url, account)) return url
  throw new ProviderProblem('rejected', `The document was reported at ${url.host}, which is not a host of ${name}.`)
}

/**
 * Gets the document of a received fax. Whether its host wants credentials, and in which form, is not documented: it
 * is asked without, then with the token as Bearer, then as Basic.
 * @throws {ProviderProblem} with one sentence saying why it could not be had
 */
export async function fetchDocument(
  reference: string,
  account: Account,
  host: Host,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const url = await addressOf(reference, account, host, within)
  let status = 0
  for (const authorization of [undefined, `Bearer ${account.token}`, account.authorization]) {
    try {
      const response = await host.fetch(url, { headers: authorization ? { authorization } : {}, signal: within })
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.status === 200) return bytes
      status = response.status
    } catch (error) {
      throw new ProviderProblem(
        'unreachable',
        `The document could not be fetched from ${name}: ${reasonOf(error, within)}.`,
      )
    }
    if (status !== 401 && status !== 403 && status !== 404) break
  }
  const kind = status === 401 || status === 403 ? 'bad_credentials' : 'rejected'
  throw new ProviderProblem(kind, `${name} did not return the document of the fax (${status}).`)
}
