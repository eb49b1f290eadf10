import { DocumentProblem } from '@faxdeck/documents'
import {
  exchange,
  type Host,
  type Line,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
} from '@faxdeck/provider-kit'
import type { Action } from './action.ts'
import { identityOf, idOf, problemOf, type Redact, redactorOf, updateOf } from './answer.ts'
import type { Manifest } from './manifest.ts'
import { carriesDocument, initOf, type NamedFile, prepareRequest, type PreparedRequest } from './request.ts'
import { settingsContext, valuesIn } from './settings.ts'
import { type Context, TemplateProblem } from './template.ts'

interface Speaker {
  manifest: Manifest
  host: Host
  /** Settings and credentials. */
  values: Context
  redact: Redact
}

/** Never the name of the uploaded file, which may identify a patient. */
const fileNameOf = (fax: OutgoingFax) => `fax-${fax.attemptId}.pdf`

async function readOrRefuse<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DocumentProblem) throw new ProviderProblem('bad_document', error.sentence)
    throw new ProviderProblem('unreachable', `${name} was not contacted: the document could not be read.`)
  }
}

/** The values of a fax that the templates ask for, and no others: a link or a copy of the document is made only when it is used. */
async function faxContext({ manifest }: Speaker, fax: OutgoingFax): Promise<{ context: Context; pdf?: Uint8Array }> {
  const { send_fax: action } = manifest.actions
  const uses = (name: string) => action.names.includes(name)
  const wantsPdf = uses('file_base64') || carriesDocument(action)
  const pdf = wantsPdf ? await readOrRefuse(manifest.name, fax.pdf) : undefined
  const url = uses('file_url') ? await readOrRefuse(manifest.name, fax.documentUrl) : ''
  const context: Context = {
    ...(fax.from === undefined ? {} : { from: fax.from }),
    to: fax.to,
    to_digits: fax.to.replace(/\D/g, ''),
    fax_id: fax.attemptId,
    pages: fax.pages,
    file_name: fileNameOf(fax),
    file_url: url,
    file_base64: uses('file_base64') && pdf ? Buffer.from(pdf).toString('base64') : '',
  }
  return pdf ? { context, pdf } : { context }
}

function prepare({ manifest, values }: Speaker, action: Action, context: Context): PreparedRequest {
  try {
    return prepareRequest(manifest, action, { ...values, ...context })
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    throw new ProviderProblem('rejected', `${manifest.name} was not contacted: ${error.message}`)
  }
}

const isGood = (status: number) => status >= 200 && status < 300

function ask({ manifest, host }: Speaker, request: PreparedRequest, signal: AbortSignal, file?: NamedFile) {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(manifest.timeout_ms)])
  return exchange(manifest.name, request.url.href, { ...initOf(request, file), signal: patience }, host)
}

async function send(speaker: Speaker, fax: OutgoingFax, signal: AbortSignal) {
  const { manifest, redact } = speaker
  const { send_fax: action } = manifest.actions
  const { context, pdf } = await faxContext(speaker, fax)
  const request = prepare(speaker, action, context)
  const file = pdf ? { pdf, name: fileNameOf(fax) } : undefined
  const answer = await ask(speaker, request, signal, file)
  if (!isGood(answer.status)) throw problemOf(manifest.name, action, answer, redact)
  const providerId = idOf(manifest.name, action, answer)
  const update = updateOf(manifest.name, action, answer.body, redact)
  return { providerId, update: { state: 'queued' as const, ...update, ...identityOf(action, answer.body) } }
}

const aboutFax = (providerId: string): Context => ({ job_id: providerId, provider_sid: providerId })

async function askAbout(speaker: Speaker, action: Action, providerId: string, signal: AbortSignal) {
  return ask(speaker, prepare(speaker, action, aboutFax(providerId)), signal)
}

async function status(speaker: Speaker, action: Action, providerId: string, signal: AbortSignal) {
  const { manifest, redact } = speaker
  const answer = await askAbout(speaker, action, providerId, signal)
  if (answer.status === 404 || answer.status === 410) return undefined
  if (!isGood(answer.status)) throw problemOf(manifest.name, action, answer, redact)
  const update = updateOf(manifest.name, action, answer.body, redact)
  return { providerId, state: 'in_progress' as const, ...update, ...identityOf(action, answer.body) }
}

/** A provider's "accepted" is no promise: only a word that the manifest calls canceled or failed is. */
async function cancel(speaker: Speaker, action: Action, providerId: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askAbout(speaker, action, providerId, signal)
  if (!isGood(answer.status)) return false
  const { providerId: canceled = providerId } = identityOf(action, answer.body)
  return (
    canceled === providerId &&
    updateOf(speaker.manifest.name, action, answer.body, speaker.redact)?.kind === 'cancelled'
  )
}

/** Opens a line that speaks as the manifest says. */
export function openLine(manifest: Manifest, host: Host, settings: ProviderSettings): Line {
  const values = settingsContext(manifest, valuesIn(manifest, settings))
  const secrets = Object.entries(values).flatMap(([name, value]) => (name.startsWith('creds.') ? [String(value)] : []))
  const speaker: Speaker = { manifest, host, values, redact: redactorOf(secrets) }
  const { send_fax, get_status, cancel_fax } = manifest.actions
  const { names } = send_fax
  return {
    fetchesDocument: names.includes('file_url') && !names.includes('file_base64') && !carriesDocument(send_fax),
    send: (fax, signal) => send(speaker, fax, signal),
    ...(get_status ? { status: (id: string, signal: AbortSignal) => status(speaker, get_status, id, signal) } : {}),
    ...(cancel_fax ? { cancel: (id: string, signal: AbortSignal) => cancel(speaker, cancel_fax, id, signal) } : {}),
  }
}
