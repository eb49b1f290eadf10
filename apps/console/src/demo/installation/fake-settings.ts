import { type Config, routes, type Settings } from '@faxdeck/contract'
import {
  applyLayers,
  crossChecks,
  describe,
  type FieldProblem,
  type Layers,
  toAnswer,
  validateEnvEntries,
  validatePatch,
  type Values,
} from '@faxdeck/settings/forms'
import { type FakeCalls, Refusal } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import type { World } from '../world.ts'
import { fakeRows } from './fake-setting-rows.ts'

const valuesOf = (world: World): Values => applyLayers(fakeRows, world.settings).values
const settingsPath = '/srv/faxdeck/faxdata/faxdeck.env'
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function answerOf(world: World): Settings {
  const answer = toAnswer(fakeRows, valuesOf(world))
  const { outbound, inbound } = world.config.hybrid
  return routes.getSettings.reply.parse({
    ...answer,
    hybrid: { ...(answer.hybrid as object), outbound_backend: outbound, inbound_backend: inbound },
    inbound: { ...(answer.inbound as object), needs_storage: true },
  })
}

const senderGaps = ({ fax_header: name, fax_header_number: number }: Values): Config['sender_missing'] =>
  name ? [] : number ? ['name'] : ['name', 'number']

/** What the console knows of the installation follows from the settings. */
function configWith(config: Config, values: Values): Config {
  const backend = values.fax_disabled ? 'testline' : textOf(values.outbound_backend ?? values.backend)
  return {
    ...config,
    backend,
    hybrid: { outbound: backend, inbound: textOf(values.inbound_backend ?? values.backend) },
    test_line: values.fax_disabled === true,
    storage: { backend: textOf(values.storage_backend) },
    require_api_key: values.require_api_key === true,
    enforce_public_https: values.enforce_public_https === true,
    public_api_url: textOf(values.public_api_url),
    audit_log_enabled: values.audit_log_enabled === true,
    organization: textOf(values.fax_header) || null,
    sender_missing: values.fax_disabled === true ? [] : senderGaps(values),
    v3_plugins: { ...config.v3_plugins, enabled: values.feature_v3_plugins === true, active_outbound: backend },
    mcp: {
      ...config.mcp,
      sse_enabled: values.enable_mcp_sse === true,
      http_enabled: values.enable_mcp_http === true,
      require_oauth: values.require_mcp_oauth === true,
      oauth: {
        issuer: textOf(values.oauth_issuer),
        audience: textOf(values.oauth_audience),
        jwks_url: textOf(values.oauth_jwks_url),
      },
    },
  }
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  const said = problems.map(({ field, message }) => `${field}: ${message}`).join(' ')
  throw new Refusal('invalid', said, [...problems])
}

function valuesTogether(layers: Layers): Values {
  const { values } = applyLayers(fakeRows, layers)
  const problems = crossChecks(values as Parameters<typeof crossChecks>[0])
  if (problems.length > 0) throw new Refusal('invalid', problems.join(' '))
  return values
}

/** Refuses a file that the gateway would refuse: unknown or fixed variables, and values that do not go together. */
function checkFile({ settings }: World, content: string): void {
  const entries: Record<string, string> = {}
  for (const [, name = '', text = ''] of content.matchAll(/^(\w+)=(.*)$/gm)) {
    entries[name] = text.replace(/^(['"`])(.*)\1$/, '$2')
  }
  const { values, problems } = validateEnvEntries(fakeRows, entries)
  refuse(problems)
  const isFixed = (key: string) => Object.hasOwn(settings.environment, key) && settings.environment[key] !== values[key]
  const fixed = fakeRows.filter(({ boot, key }) => boot && Object.hasOwn(values, key) && isFixed(key))
  refuse(fixed.map(({ env }) => ({ field: env, message: `It is set by the environment variable ${env}.` })))
  valuesTogether({ ...settings, environment: { ...values, ...settings.environment } })
}

/** Saves values as the gateway does: all or none, null clearing one. */
export function saveSettings(world: World, values: Values): void {
  const saved = Object.entries({ ...world.settings.saved, ...values }).filter(([, value]) => value !== null)
  const next = { ...world.settings, saved: Object.fromEntries(saved) }
  const inForce = valuesTogether(next)
  world.settings = next
  world.config = configWith(world.config, inForce)
  const now = inForce.outbound_backend ?? inForce.backend
  const marked = inForce.next_outbound_backend ?? now
  for (const { plugin } of world.plugins) {
    if (plugin.categories.includes('outbound'))
      Object.assign(plugin, { enabled: plugin.id === marked, active: plugin.id === now })
  }
}

function envOf(world: World, withSecrets: boolean): string {
  const values = valuesOf(world)
  const lines = fakeRows.flatMap((row) => {
    const value = values[row.key] ?? null
    if (row.environmentOnly || value === null) return []
    if (row.type === 'secret' && !withSecrets) return [`# ${row.env} is set. Export with secrets to see it.`]
    return [`${value === row.default ? '# ' : ''}${row.env}=${String(value)}`]
  })
  return `${lines.join('\n')}\n`
}

const linesOf = (file: string) =>
  new Map([...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
const shown = (name: string, value: string | undefined) =>
  value !== undefined && /KEY|SECRET|PASS|TOKEN/.test(name) ? '********' : (value ?? null)

function changedLines(before: string, after: string) {
  const [old, next] = [linesOf(before), linesOf(after)]
  const names = [...new Set([...old.keys(), ...next.keys()])].filter((name) => old.get(name) !== next.get(name))
  return names.map((name) => ({ name, before: shown(name, old.get(name)), after: shown(name, next.get(name)) }))
}

export function settingsCalls(world: World) {
  return {
    getSettings: () => answerOf(world),
    describeSettings: () => {
      const rows = describe(fakeRows, world.settings)
      return { rows: rows.filter(({ key }) => world.describedSettings?.includes(key) ?? true) }
    },
    updateSettings: ({ body }) => {
      const { values, problems } = validatePatch(fakeRows, body)
      refuse(problems)
      const before = valuesOf(world)
      saveSettings(world, values)
      addEvent(world, 'settings_changed', { changed: Object.keys(values) })
      const after = valuesOf(world)
      const restart = fakeRows.some((row) => row.restart && before[row.key] !== after[row.key])
      return { ...answerOf(world), _meta: { restart_recommended: restart, changed: Object.keys(values) } }
    },
    reloadSettings: () => {
      const { next_outbound_backend: next = null } = valuesOf(world)
      if (next !== null) saveSettings(world, { outbound_backend: next, next_outbound_backend: null })
      return answerOf(world)
    },
    exportSettings: ({ query }) => ({ env_content: envOf(world, query.secrets === 'true') }),
    persistSettings: ({ body }) => {
      if (![undefined, 'faxdeck.env', settingsPath].includes(body?.path)) throw new Refusal('path_refused')
      if (body?.content !== undefined) checkFile(world, body.content)
      const next = body?.content ?? envOf(world, true)
      const changes = changedLines(world.settingsFile ?? '', next)
      if (!body?.dry_run) world.settingsFile = next
      return { ok: true as const, path: settingsPath, changes }
    },
  } satisfies FakeCalls
}
