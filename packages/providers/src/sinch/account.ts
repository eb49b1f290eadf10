import {
  basicAuthorization,
  callProvider,
  fetchReceived,
  type Fields,
  type Host,
  type ProviderAnswer,
  type ProviderCall,
  ProviderProblem,
  type ProviderSettings,
  readFields,
  refusalOf,
} from '@faxdeck/provider-kit'
import { openTokens } from './tokens.ts'

/** The fields that Sinch objects to, with its own description of each. */
function violationsOf(body: Fields | undefined): { field: string; words: string }[] {
  const listed = body?.object('details')?.list('fieldViolations') ?? []
  const violations = listed.flatMap((each) => readFields(each) ?? [])
  return violations.map((each) => ({ field: each.text('field'), words: each.text('description') }))
}

/** A refusal, with the own sentence of Sinch; `uncertain` when the answer is no proof of one. */
function refusal(answer: ProviderAnswer, what = 'the fax'): ProviderProblem {
  const body = readFields(answer.body)
  const violations = violationsOf(body)
  const said = [body?.text('message'), ...violations.map(({ field, words }) => `${field}: ${words}`)].filter(Boolean)
  const problem = refusalOf('Sinch', answer, said.length > 0 ? said.join('; ') : undefined, what)
  const aboutTheNumber = violations.some(({ field }) => /^to\b/.test(field))
  return problem.kind === 'rejected' && aboutTheNumber ? new ProviderProblem('bad_number', problem.message) : problem
}

interface Ask extends Pick<ProviderCall, 'body' | 'json' | 'method'> {
  /** Answers undefined for 404. */
  missing?: boolean
  /** What is refused, when it is not the fax. */
  what?: string
}

/** A project at Sinch, Fax API 3, with the sign-in that was chosen and no other. */
export function openProject(host: Pick<Host, 'fetch' | 'now'>, settings: ProviderSettings) {
  const base = `${String(settings.sinch_base_url).replace(/\/+$/, '')}/projects/${encodeURIComponent(String(settings.sinch_project_id))}`
  const key = basicAuthorization(String(settings.sinch_api_key), String(settings.sinch_api_secret))
  const tokens =
    settings.sinch_auth_method === 'oauth' ? openTokens(host, String(settings.sinch_auth_base_url), key) : undefined

  /** A token may be revoked before it expires: refused once, a new one is asked for, once. What was refused was not taken. */
  const signedIn = async <T>(act: (authorization: string) => Promise<T>, signal: AbortSignal): Promise<T> => {
    if (!tokens) return act(key)
    const token = await tokens.current(signal)
    try {
      return await act(`Bearer ${token}`)
    } catch (error) {
      if (!(error instanceof ProviderProblem) || error.kind !== 'bad_credentials') throw error
      return act(`Bearer ${await tokens.renewed(token, signal)}`)
    }
  }
  return {
    /** Asks once. @throws {ProviderProblem} unless Sinch answers 2xx; 404 answers undefined when asked to */
    ask: (path: string, signal: AbortSignal, { missing = false, what, ...request }: Ask = {}): Promise<unknown> =>
      signedIn(async (authorization) => {
        const call = { name: 'Sinch', url: `${base}/${path}`, authorization, ...request }
        const answer = await callProvider(call, host, signal)
        if (answer.status >= 200 && answer.status < 300) return answer.body
        if (missing && answer.status === 404) return undefined
        throw refusal(answer, what)
      }, signal),
    /** The document of a fax: the suffix is required by one page of Sinch, and left out by its SDK. @throws {ProviderProblem} */
    fetchFile: (id: string, signal: AbortSignal): Promise<Uint8Array> => {
      const get = (file: string) =>
        signedIn(
          (authorization) =>
            fetchReceived({ name: 'Sinch', url: `${base}/faxes/${id}/${file}`, authorization }, host, signal),
          signal,
        )
      return get('file.pdf').catch((error: unknown) => {
        if (error instanceof ProviderProblem && error.kind === 'rejected') return get('file')
        throw error
      })
    },
  }
}

export type SinchProject = ReturnType<typeof openProject>
