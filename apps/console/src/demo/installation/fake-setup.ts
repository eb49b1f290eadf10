import { validatePatch } from '@faxdeck/settings/forms'
import { type FakeCalls, leastReply, Refusal } from '../fake-calls.ts'
import { findingOf } from '../lines/fake-diagnostics.ts'
import type { World } from '../world.ts'
import { missingSettings, registryOf } from './fake-providers.ts'
import { fakeRows } from './fake-setting-rows.ts'

/** What the setup asks beyond the settings themselves. */
export function setupCalls(world: World) {
  return {
    validateSettings: ({ body }) => {
      const said = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
      const { values, problems } = validatePatch(fakeRows, said)
      const words = problems.map(({ field, message }) => `${field}: ${message}`).join(' ')
      if (words) throw new Refusal('invalid', words, problems)
      const backend = String(values.backend ?? world.config.hybrid.outbound)
      const lacking = missingSettings(world, backend, values)
      const findings = fakeRows
        .filter((row) => row.provider === backend && row.group === 'provider')
        .map(({ key, label }) => {
          const isMissing = lacking.some((row) => row.key === key)
          return findingOf(backend, `${key}_set`, isMissing ? { sentence: `${label} is not set: copy it.` } : {})
        })
      return { backend, checks: Object.fromEntries(findings.map(({ check, passed }) => [check, passed])), findings }
    },
    getLineTest: () => world.lineTest ?? leastReply('getLineTest'),
    startLineTest: () => (world.lineTest = passedLineTest(world)),
    registerSinchWebhook: () => {
      const { outbound } = world.config.hybrid
      const path = registryOf(world)[outbound]?.traits.webhook_path
      if (!path) return { success: false, webhook_url: null, error: null }
      return { success: true, webhook_url: world.config.public_api_url + path, error: null }
    },
  } satisfies FakeCalls
}

type LineTest = NonNullable<World['lineTest']>

/** A test that has gone well at once. */
function passedLineTest(world: World): LineTest {
  const at = new Date(world.now()).toISOString()
  return {
    provider: world.config.hybrid.outbound,
    running: false,
    started_at: at,
    finished_at: at,
    steps: [
      { name: 'registration', title: 'Registration', state: 'passed', detail: 'Registered: sip.carrier.example.' },
      { name: 'call', title: 'Call to yourself', state: 'passed', detail: 'One page went over T.38 at 14,400.' },
    ],
    passed: true,
    verdict: 'Your trunk carries T.38; faxes go as data at 14,400.',
  }
}
