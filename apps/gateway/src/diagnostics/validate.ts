import { validatePatch, type Values } from '@faxdeck/settings'
import type { Events } from '../events/events.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import type { Lines } from '../providers/lines.ts'
import type { Settings, SettingsInForce } from '../settings/settings.ts'
import { type ProbeLog, runProbe } from './probe.ts'
import { type Ground, providerProbes } from './provider-probes.ts'

interface ValidateParts {
  settings: Settings
  lines: Lines
  events: Pick<Events, 'settingsValidated'>
  log: ProbeLog
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

/** The values to try: those given over those in force. What is blank or masked says nothing. */
function valuesToTry(settings: Settings, body: Values): { given: Values; values: SettingsInForce } {
  const said = Object.fromEntries(Object.entries(body).filter(([, value]) => !isBlank(value)))
  const { values: given, problems } = validatePatch(settings.rows, said)
  if (problems.length > 0) {
    const sentences = problems.map(({ field, message }) => `${field}: ${message}`).join(' ')
    throw new Problem('invalid', sentences, { fields: problems })
  }
  return { given, values: { ...settings.current(), ...given } }
}

/** The provider that is meant, with the values to try in place of its own. */
function groundToTry(lines: Lines, settings: Settings, body: Values): Ground {
  const { given, values } = valuesToTry(settings, body)
  const id = String(given.backend ?? values.outbound_backend ?? values.backend)
  const provider = lines.find(id)
  if (!provider) throw new Problem('invalid', `There is no provider "${id}". Choose one of those that are offered.`)
  return {
    provider,
    settings: Object.fromEntries(provider.settings.map(({ key }) => [key, values[key] ?? null])),
    host: { ...lines.hostOf(provider), publicUrl: values.public_api_url.replace(/\/+$/, '') },
  }
}

/** Tries settings with the real provider. Nothing is saved; that it was tried is recorded. */
export function validateHandler({ settings, lines, events, log }: ValidateParts): Handlers<'validateSettings'> {
  return {
    validateSettings: async ({ body, caller }) => {
      const ground = groundToTry(lines, settings, body)
      const { id } = ground.provider
      await events.settingsValidated({ key_id: caller.keyId, backend: id })
      const outcomes = await Promise.all(providerProbes(ground, 'using').map((probe) => runProbe(id, probe, log)))
      const findings = outcomes.map(({ finding }) => finding)
      const said = findings.flatMap(({ passed, detail }) => (passed || detail === null ? [] : [detail]))
      return {
        backend: id,
        checks: Object.fromEntries(findings.map(({ check, passed }) => [check, passed])),
        ...(said.length > 0 ? { error: [...new Set(said)].join(' ') } : {}),
        findings,
      }
    },
  }
}
