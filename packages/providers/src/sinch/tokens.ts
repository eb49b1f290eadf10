import { callProvider, type Host, ProviderProblem, readFields } from '@faxdeck/provider-kit'

/** A token is renewed this long before it expires, so that none runs out on its way. */
const earlyMs = 60_000

interface Token {
  value: string
  expiresAt: number
}

/** What a failed sign-in means for a fax: nothing of it has left. */
function notSignedIn(error: unknown): unknown {
  if (!(error instanceof ProviderProblem) || error.kind !== 'uncertain') return error
  return new ProviderProblem('unreachable', 'Sinch did not answer the sign-in, so nothing was sent.')
}

async function askForToken(
  host: Pick<Host, 'fetch' | 'now'>,
  url: string,
  authorization: string,
  signal: AbortSignal,
): Promise<Token> {
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const answer = await callProvider({ name: 'Sinch', url, authorization, body }, host, signal).catch(
    (error: unknown) => {
      throw notSignedIn(error)
    },
  )
  const { status, retryAfterSeconds } = answer
  const granted = readFields(answer.body)
  const value = granted?.text('access_token')
  if (status === 200 && value) {
    return {
      value,
      expiresAt: host.now().getTime() + (granted?.count('expires_in', Number.MAX_SAFE_INTEGER) ?? 0) * 1000,
    }
  }
  if (status === 429)
    throw new ProviderProblem('rate_limited', 'Sinch was asked for a token too often (429).', retryAfterSeconds)
  if (status >= 400 && status < 500)
    throw new ProviderProblem('bad_credentials', `Sinch refused the sign-in (${status}).`)
  throw new ProviderProblem('unreachable', `Sinch granted no token (${status}), so nothing was sent.`)
}

/**
 * Tokens by OAuth 2 client credentials (RFC 6749, 4.4), kept until a minute before they expire. Callers that come
 * together wait for the same one. There is no other way in when this one fails.
 */
export function openTokens(host: Pick<Host, 'fetch' | 'now'>, url: string, authorization: string) {
  let kept: Token | undefined
  let asking: Promise<Token> | undefined
  const ask = async (signal: AbortSignal): Promise<string> => {
    asking ??= askForToken(host, url, authorization, signal).finally(() => (asking = undefined))
    kept = await asking
    return kept.value
  }
  return {
    /** @throws {ProviderProblem} never `uncertain`: without a token nothing is sent */
    current: async (signal: AbortSignal): Promise<string> =>
      kept && kept.expiresAt - earlyMs > host.now().getTime() ? kept.value : ask(signal),
    /** A token in place of one that was refused; another caller may have got it already. */
    renewed: async (refused: string, signal: AbortSignal): Promise<string> =>
      kept && kept.value !== refused ? kept.value : ask(signal),
  }
}
