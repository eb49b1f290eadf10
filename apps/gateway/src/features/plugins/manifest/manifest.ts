import { invalid } from '../../../base/http/answers/invalid.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { type Action, type Fault, readAction } from './action.ts'
import { type ManifestShape, manifestShape } from './shape.ts'
import { isTooDeep, renderUrl, TemplateProblem, tooDeep } from './template.ts'
import { knownWords, meaningOf } from './words.ts'

export type ActionName = keyof ManifestShape['actions']

/** A manifest that was read and found good. */
export interface Manifest extends Omit<ManifestShape, 'actions' | 'name' | 'kind' | 'traits'> {
  name: string
  actions: { send_fax: Action } & Partial<Record<ActionName, Action>>
  /** Names of {{creds.…}}, those of the scheme first. */
  credentials: readonly string[]
  /** Sentences about what will not work as somebody may hope. */
  warnings: readonly string[]
}

/** Bytes of a manifest as JSON. */
export const largestManifest = 256 * 1024

const sending = ['to', 'to_digits', 'from', 'file_url', 'file_base64', 'file_name', 'fax_id', 'pages']
const following = ['job_id', 'provider_sid']
const placeholders: Record<ActionName, readonly string[]> = {
  send_fax: sending,
  get_status: following,
  cancel_fax: following,
}
const named = /^(settings|creds)\.[a-z][a-z0-9]*(_[a-z0-9]+)*$/

const schemeCredentials: Record<ManifestShape['auth']['scheme'], readonly string[]> = {
  none: [],
  basic: ['username', 'password'],
  bearer: ['token'],
  api_key_header: ['api_key'],
  api_key_query: ['api_key'],
}

const better: Readonly<Record<string, string>> = {
  file: 'The document itself is a part of a multipart body; elsewhere use {{file_base64}} or {{file_url}}.',
  file_path: 'Plugins can’t read files on this machine; use {{file_url}}, {{file_base64}} or a multipart part.',
}

function nameFaults(at: ActionName, { names }: Action): Fault[] {
  const known = placeholders[at]
  return names
    .filter((name) => !known.includes(name) && !named.test(name))
    .map((name) => ({
      path: ['actions', at],
      message: `{{${name}}} is not known here. ${better[name] ?? `Use one of ${[...known, 'settings.…', 'creds.…'].join(', ')}.`}`,
    }))
}

function domainFaults(at: ActionName, { address }: Action, domains: readonly string[]): Fault[] {
  if (domains.includes(address.host)) return []
  return [{ path: ['actions', at, 'url'], message: `${address.host} is not among the allowed_domains.` }]
}

/** With harmless values in place, the address must be the one that was written. */
function addressFaults(at: ActionName, { address, names }: Action): Fault[] {
  try {
    renderUrl(address.origin, address.path, address.query, Object.fromEntries(names.map((name) => [name, '1'])))
    return []
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    return [
      {
        path: ['actions', at, 'url'],
        message: 'The path cannot be used as it is: encode spaces and signs, and leave out dots between slashes.',
      },
    ]
  }
}

function mapFaults(at: ActionName, { response }: Action): Fault[] {
  return Object.entries(response.status_map)
    .filter(([, word]) => !meaningOf(word))
    .map(([word, ours]) => ({
      path: ['actions', at, 'response', 'status_map', word],
      message: `"${ours}" is not a known state. Use one of ${knownWords.join(', ')}.`,
    }))
}

function warningsOf({ kind, traits, auth }: ManifestShape, actions: Manifest['actions']): string[] {
  const { send_fax, get_status } = actions
  const delivers = [send_fax, get_status].some((action) =>
    Object.values(action?.response.status_map ?? {}).some((word) => meaningOf(word)?.state === 'delivered'),
  )
  const carries = send_fax.body.kind === 'multipart' && send_fax.body.fields.some(([, template]) => template === null)
  const all: [boolean, string][] = [
    [
      !get_status,
      'Without actions.get_status, Faxdeck can’t find out the outcome of a fax, and after a day a person has to decide.',
    ],
    [!delivers, 'No status_map has a word for SUCCESS, so no fax will ever count as delivered.'],
    [
      !carries && !send_fax.names.some((name) => name.startsWith('file_') && name !== 'file_name'),
      'actions.send_fax sends no document: use {{file_url}}, {{file_base64}} or a multipart part named file.',
    ],
    [!send_fax.names.some((name) => name === 'to' || name === 'to_digits'), 'actions.send_fax does not use {{to}}.'],
    [auth.scheme === 'none', 'auth.scheme is none: requests carry no credentials beyond those in the templates.'],
    [
      kind !== undefined || traits !== undefined,
      'kind and traits are ignored: what a plugin can do follows from its actions.',
    ],
  ]
  return all.filter(([holds]) => holds).map(([, sentence]) => sentence)
}

interface ReadOptions {
  /** Whether manifests may speak to this machine: for tests only. */
  allowLoopback: boolean
}

function readActions(shape: ManifestShape, { allowLoopback }: ReadOptions): Manifest['actions'] {
  const domains = shape.allowed_domains.map((domain) => domain.toLowerCase())
  const faults: Fault[] = []
  const actions: Partial<Record<ActionName, Action>> = {}
  for (const at of Object.keys(placeholders) as ActionName[]) {
    const written = shape.actions[at]
    if (!written) continue
    const read = readAction(written, allowLoopback)
    faults.push(...read.faults.map(({ path, message }) => ({ path: ['actions', at, ...path], message })))
    if (!read.action) continue
    actions[at] = read.action
    faults.push(...nameFaults(at, read.action), ...domainFaults(at, read.action, domains))
    faults.push(...addressFaults(at, read.action), ...mapFaults(at, read.action))
  }
  const { send_fax } = actions
  if (faults.length > 0 || !send_fax) throw invalid(faults)
  return { ...actions, send_fax }
}

/**
 * Reads a manifest.
 * @throws {Problem} `too_large`, or `invalid` with a sentence for every field that cannot be used
 */
export function readManifest(raw: unknown, options: ReadOptions): Manifest {
  if (isTooDeep(raw)) {
    throw invalid([{ path: ['manifest'], message: tooDeep }])
  }
  if (Buffer.byteLength(JSON.stringify(raw)) > largestManifest) {
    throw new Problem('too_large', `A manifest can have ${largestManifest / 1024} KB at most.`)
  }
  const { success, data: shape, error } = manifestShape.safeParse(raw)
  if (!success) throw invalid(error.issues)
  const actions = readActions(shape, options)
  const used = Object.values(actions).flatMap(({ names }) => names)
  const inTemplates = used.filter((name) => name.startsWith('creds.')).map((name) => name.slice('creds.'.length))
  const { kind: _, traits: __, ...rest } = shape
  return {
    ...rest,
    name: shape.name ?? shape.id,
    actions,
    credentials: [...new Set([...schemeCredentials[shape.auth.scheme], ...inTemplates])],
    warnings: warningsOf(shape, actions),
  }
}
