import { validatePatch, type Values } from '@faxdeck/settings'
import type { GatewayContext } from '../../base/context.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { documentsIn } from '../../base/settings/data-directory.ts'
import type { Settings, SettingsInForce } from '../../base/settings/settings.ts'
import { createSelectedStorage } from '../../base/storage/select-storage.ts'
import { createLocalStorage } from '../../base/storage/local.ts'
import type { Probe } from '../../base/checks.ts'
import { runProbe } from './probe.ts'
import { type Ground, providerProbes } from './provider-probes.ts'
import { storageGroup } from './storage.ts'

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
function groundToTry(providers: ProviderAccess, { given, values }: ReturnType<typeof valuesToTry>): Ground {
  const id = String(given.backend ?? values.outbound_backend ?? values.backend)
  const provider = providers.find(id)
  if (!provider) throw new Problem('invalid', `There is no provider "${id}". Choose one from the list.`)
  const tried = Object.fromEntries(provider.settings.map(({ key }) => [key, values[key] ?? null]))
  return {
    provider,
    settings: tried,
    host: { ...providers.probingHostOf(provider, tried), publicUrl: values.public_api_url.replace(/\/+$/, '') },
    use: { receiving: values.inbound_enabled && (values.inbound_backend ?? values.backend) === id },
  }
}

/** What tries the values: the provider's own checks, and the bucket when documents are to go there. */
function probesFor({ directory }: GatewayContext, ground: Ground, values: SettingsInForce): Probe[] {
  const storage = createSelectedStorage(createLocalStorage(documentsIn(directory)), () => values)
  const stored = values.storage_backend === 's3' ? storageGroup(storage, values).probes : []
  return [...providerProbes(ground, 'using'), ...stored]
}

/** Tries settings with the real provider and the real bucket. Nothing is saved; that it was tried is recorded. */
export function validateHandler(context: GatewayContext) {
  const { settings, providers, events, log } = context
  return {
    validateSettings: async ({ body, caller }) => {
      const tried = valuesToTry(settings, body)
      const ground = groundToTry(providers, tried)
      const { id } = ground.provider
      await events.settingsValidated({ key_id: caller.keyId, backend: id })
      const outcomes = await Promise.all(
        probesFor(context, ground, tried.values).map((probe) => runProbe(id, probe, log)),
      )
      const findings = outcomes.map(({ finding }) => finding)
      const said = findings.flatMap(({ passed, detail }) => (passed || detail === null ? [] : [detail]))
      return {
        backend: id,
        checks: Object.fromEntries(findings.map(({ check, passed }) => [check, passed])),
        ...(said.length > 0 ? { error: [...new Set(said)].join(' ') } : {}),
        findings,
      }
    },
  } satisfies Partial<Handlers>
}
