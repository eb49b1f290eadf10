import {
  asSentence,
  basicAuthorization,
  callProvider,
  fetchReceived,
  type Fields,
  type Host,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderSettings,
  ProviderProblem,
  readFields,
  refusalOf,
} from '@faxdeck/provider-kit'

/** Every JSON answer of Phaxio. A 2xx may carry `success: false`. */
export interface Envelope {
  success: boolean
  message: string
  data: unknown
  paging: Fields | undefined
}

function envelopeOf({ body }: ProviderAnswer): Envelope | undefined {
  const fields = readFields(body)
  const success = fields?.value('success')
  if (!fields || typeof success !== 'boolean') return undefined
  return { success, message: fields.text('message'), data: fields.value('data'), paging: fields.object('paging') }
}

/** A number that Phaxio does not dial: said in words only. */
const aboutTheNumber = /phone number|recipient|destination/i

/** A refusal, with Phaxio's own sentence; `uncertain` when the answer is no proof of one. */
function refusal(answer: ProviderAnswer): ProviderProblem {
  const { success, message } = envelopeOf(answer) ?? {}
  const words = message || undefined
  const { status } = answer
  if ((status === 400 || status === 422) && words !== undefined && aboutTheNumber.test(words)) {
    return new ProviderProblem('bad_number', `Phaxio does not fax to this number. Phaxio says: ${asSentence(words)}`)
  }
  const said = refusalOf('Phaxio', answer, words)
  // Phaxio answers some refusals with 2xx and success: false.
  return status < 300 && success === false ? new ProviderProblem('rejected', said.message) : said
}

/** The account at Phaxio, API 2.1: one key, one secret, one address. */
export function openAccount(host: Pick<Host, 'fetch' | 'now'>, settings: ProviderSettings) {
  const base = String(settings.phaxio_base_url).replace(/\/+$/, '')
  const authorization = basicAuthorization(String(settings.phaxio_api_key), String(settings.phaxio_api_secret))
  return {
    /** Asks once. @throws {ProviderProblem} unless Phaxio answers with success; 404 answers undefined when asked to */
    ask: async (
      path: string,
      signal: AbortSignal,
      { body, missing = false }: { body?: ProviderCall['body']; missing?: boolean } = {},
    ): Promise<Envelope | undefined> => {
      const call = { name: 'Phaxio', url: `${base}/${path}`, authorization, ...(body ? { body } : {}) }
      const answer = await callProvider(call, host, signal)
      if (missing && answer.status === 404) return undefined
      const envelope = envelopeOf(answer)
      if (answer.status >= 200 && answer.status < 300 && envelope?.success) return envelope
      throw refusal(answer)
    },
    /** The document of a fax. @throws {ProviderProblem} when it cannot be had */
    fetchFile: (id: string, signal: AbortSignal) =>
      fetchReceived({ name: 'Phaxio', url: `${base}/faxes/${id}/file`, authorization }, host, signal),
  }
}

export type PhaxioAccount = ReturnType<typeof openAccount>
