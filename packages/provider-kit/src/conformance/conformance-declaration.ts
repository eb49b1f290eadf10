import type { SettingRow } from '@faxdeck/settings'
import type { Provider, Traits } from '../provider.ts'

const idShape = /^[a-z0-9-]{2,40}$/
const keyShape = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
const envShape = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/
const pathShape = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/
const webhookShape = /^(\/[a-z0-9_-]+)+$/
const sentenceShape = /^\S.*\.$/
/** The setting of the core that providers get through their host. */
const hostSetting = 'public_api_url'
const secretName = /(^|_)(key|secret|token|pass|password)$/

const traitNames: Readonly<Record<keyof Traits, true>> = {
  webhook_path: true,
  sample_payload: true,
  signature_header: true,
  inbound_verification: true,
  recommended: true,
  supports_inbound: true,
  supports_oauth: true,
  supports_cancel: true,
  supports_status: true,
  requires_ami: true,
  requires_pages: true,
}

type Rule = readonly [holds: boolean, fault: string]

function broken(rules: readonly Rule[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault)
}

/** What is wrong with a provider's declaration, one sentence each: identity, traits, settings, webhooks and checks. */
export function declarationFaults(provider: Provider): string[] {
  return [
    ...broken([
      [idShape.test(provider.id), `The id "${provider.id}" is not 2 to 40 of a-z, 0-9 and hyphens.`],
      [provider.name.trim() !== '', 'The provider has no name.'],
      [provider.concurrency >= 1, 'The provider carries no call at a time.'],
    ]),
    ...traitFaults(provider),
    ...provider.settings.flatMap((row) => rowFaults(row, provider.id)),
    ...provider.webhooks.flatMap(({ path, internal }) =>
      broken([
        [webhookShape.test(path), `The webhook path ${path} is not made of lower-case words.`],
        [
          path.startsWith('/_internal/') === (internal === true),
          `Internal webhooks, and only they, are below /_internal/, unlike ${path}.`,
        ],
      ]),
    ),
    ...provider.checks.flatMap(({ name, hint, setting }) =>
      broken([
        [keyShape.test(name), `The check "${name}" is not named in lower-case words.`],
        [sentenceShape.test(hint), `The hint of the check ${name} is not a sentence.`],
        [
          setting === undefined || setting === hostSetting || provider.settings.some(({ key }) => key === setting),
          `The check ${name} points to ${setting ?? ''}, which is not a setting of the provider.`,
        ],
      ]),
    ),
    ...repeated({ checks: provider.checks.map(({ name }) => name) }),
  ]
}

function traitFaults({ traits, webhooks, kind }: Provider): string[] {
  const reported = new Map(Object.entries(traits).filter(([, value]) => value !== undefined))
  const lacking = Object.keys(traitNames).filter((name) => !reported.has(name))
  const inbound = webhooks.filter(({ purpose }) => purpose !== 'status')
  return broken([
    [lacking.length === 0, `The traits lack ${lacking.join(', ')}.`],
    [
      traits.webhook_path !== null || kind === 'builtin' || kind === 'managed' || kind === 'plugin',
      'A provider of the outside world needs a webhook path.',
    ],
    [
      traits.signature_header !== null || traits.inbound_verification === 'none',
      'The traits name no header that carries the proof.',
    ],
    [
      inbound.length === 0 || inbound.some(({ path }) => path === traits.webhook_path),
      'No webhook for received faxes stands at the webhook path of the traits.',
    ],
  ])
}

function rowFaults(row: SettingRow, provider: string): string[] {
  const { key, env, envAliases = [], keyAliases = [], at } = row
  return broken([
    [row.provider === provider, `The setting ${key} does not name its provider.`],
    [[key, ...keyAliases].every((name) => keyShape.test(name)), `The setting ${key} is not named in lower-case words.`],
    [
      [env, ...envAliases].every((name) => envShape.test(name)),
      `The variable of ${key} is not named in upper-case words.`,
    ],
    [at === undefined || pathShape.test(at), `The setting ${key} has no usable path in the answer.`],
    [row.type === 'secret' || !secretName.test(key), `The setting ${key} holds a secret and is not typed secret.`],
    [row.label.trim() !== '' && !row.label.endsWith('.'), `The label of ${key} is missing, or a sentence.`],
    [sentenceShape.test(row.help), `The help of ${key} is not a sentence.`],
    [isAcceptable(row), `The default of ${key} is not acceptable.`],
  ])
}

function isAcceptable(row: SettingRow): boolean {
  if (row.default === null) return true
  if (row.type === 'number') return row.default >= row.min && row.default <= row.max
  if (row.type === 'choice') return row.choices.some(({ value }) => value === row.default)
  return row.type === 'switch' || row.check?.(row.default) === undefined
}

/** Names that several providers, or a provider and the core, claim for themselves: one sentence each. */
export function registryFaults(providers: readonly Provider[], coreRows: readonly SettingRow[] = []): string[] {
  const rows = [...coreRows, ...providers.flatMap(({ settings }) => settings)]
  return repeated({
    ids: providers.map(({ id }) => id),
    'webhook paths': providers.flatMap(({ webhooks }) => webhooks.map(({ path }) => path)),
    'setting names': rows.flatMap(({ key, keyAliases = [] }) => [key, ...keyAliases]),
    variables: rows.flatMap(({ env, envAliases = [] }) => [env, ...envAliases]),
    'paths in the answer': rows.flatMap(({ at, facts = {} }) => [...(at ? [at] : []), ...Object.keys(facts)]),
  })
}

/** A sentence for each name that stands twice in its list. */
function repeated(lists: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(lists).flatMap(([what, names]) => {
    const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index))
    return [...twice].map((name) => `Among the ${what}, ${name} stands twice.`)
  })
}
