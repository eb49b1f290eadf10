import type { ManifestReport } from '@faxdeck/contract'
import { invalid } from '../../base/http/answers/invalid.ts'
import { type Action } from './manifest/action.ts'
import type { ActionName, Manifest } from './manifest/manifest.ts'
import { prepareRequest, type PreparedBody } from './manifest/request.ts'
import { settingsContext, settingsOf } from './manifest/settings.ts'
import { type Context, TemplateProblem } from './manifest/template.ts'

/** What somebody wants the requests to be shown with. */
export interface DryRun {
  manifest: Record<string, unknown>
  credentials?: Readonly<Record<string, unknown>> | undefined
  settings?: Readonly<Record<string, unknown>> | undefined
  to?: string | undefined
  file_url?: string | undefined
  from_number?: string | undefined
}

const mask = '***'
const sampleFax = { to: '+15551234567', file_url: 'https://fax.example.com/fax/document.pdf', fax_id: '0'.repeat(32) }
const document = '(the document, application/pdf)'

function bodyText(body: PreparedBody): string | null {
  switch (body.kind) {
    case 'none':
      return null
    case 'json':
      return JSON.stringify(body.value, null, 2)
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString()
    case 'multipart':
      return body.fields.map(([name, value]) => `${name}: ${value ?? document}`).join('\n')
  }
}

function faxContext({ to, file_url }: DryRun): Context {
  const number = to?.trim() || sampleFax.to
  return {
    to: number,
    to_digits: number.replace(/\D/g, ''),
    file_url: file_url?.trim() || sampleFax.file_url,
    file_base64: '(the document as base64)',
    file_name: `fax-${sampleFax.fax_id}.pdf`,
    fax_id: sampleFax.fax_id,
    pages: 1,
    job_id: 'provider-id',
    provider_sid: 'provider-id',
  }
}

const stringOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The values for settings: as given, else the default, else the name; never a credential. */
function valuesFor(manifest: Manifest, asked: DryRun, lacking: string[]): Context {
  const secrets = new Set(
    settingsOf(manifest).flatMap(({ type, plugin }) => (type === 'secret' && plugin ? [plugin.field] : [])),
  )
  return settingsContext(manifest, (name) => {
    if (secrets.has(name)) return mask
    const given =
      name === 'from_number' ? asked.from_number : stringOf(asked.settings?.[name] ?? asked.credentials?.[name])
    const value = given || manifest.settings[name]?.default
    if (value === undefined) lacking.push(name)
    return value ?? name
  })
}

/** Basic hides its mask in base64. */
function maskedHeaders(headers: Readonly<Record<string, string>>, manifest: Manifest): Record<string, string> {
  return manifest.auth.scheme === 'basic' ? { ...headers, Authorization: `Basic ${mask}` } : { ...headers }
}

function requestOf(manifest: Manifest, at: ActionName, action: Action, context: Context) {
  try {
    const { method, url, headers, body } = prepareRequest(manifest, action, context)
    return { action: at, method, url: url.href, headers: maskedHeaders(headers, manifest), body: bodyText(body) }
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    throw invalid([{ path: ['actions', at], message: error.message }])
  }
}

/**
 * What a manifest is, and the very requests it would make, with the credentials masked. Nothing is sent.
 * @throws {Problem} `invalid` when a value does not fit where it is to stand
 */
export function reportOn(manifest: Manifest, asked: DryRun): ManifestReport {
  const lacking: string[] = []
  const context = { ...valuesFor(manifest, asked, lacking), ...faxContext(asked) }
  const actions = Object.entries(manifest.actions) as [ActionName, Action][]
  const rows = settingsOf(manifest)
  const names = (secret: boolean) =>
    rows.filter(({ type }) => (type === 'secret') === secret).flatMap(({ plugin }) => plugin?.field ?? [])
  return {
    id: manifest.id,
    name: manifest.name,
    actions: actions.map(([name]) => name),
    allowed_domains: manifest.allowed_domains,
    warnings: [
      ...manifest.warnings,
      ...lacking.map((name) => `${name} was not given, so the requests below show its name instead.`),
    ],
    credentials: names(true),
    settings: names(false),
    requests: actions.map(([name, action]) => requestOf(manifest, name, action, context)),
    sent: false,
  }
}
