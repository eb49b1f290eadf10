import type { Line, Provider } from '@faxdeck/provider-kit'
import { ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { fixedSettings } from '../../testing/test-context.ts'
import { makeLine } from '../../testing/made-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { registerWebhook } from './register-webhook.ts'

function desk({
  able = true,
  publicUrl = 'https://fax.example.test/',
  register = undefined as Line['registerWebhook'],
} = {}) {
  const { provider, line } = makeLine()
  const courier: Provider = {
    ...provider,
    traits: { ...provider.traits, supports_oauth: able, webhook_path: '/courier' },
  }
  const addresses: string[] = []
  const recorded: object[] = []
  const registering: Line['registerWebhook'] = async (address) => void addresses.push(address)
  const context = {
    providers: {
      inbound: () => provider,
      outbound: () => courier,
      find: () => courier,
      line: () => ({ ...line, registerWebhook: register ?? registering }),
    },
    settings: fixedSettings({ public_api_url: publicUrl }),
    events: { webhookRegistered: async (facts: object) => void recorded.push(facts) },
  } as unknown as GatewayContext
  return { context, addresses, recorded }
}

describe('registering our address with a provider', () => {
  it('registers with the provider that supports it, and records who did it', async () => {
    const { context, addresses, recorded } = desk()
    const answer = await registerWebhook(context, 'key-1')
    expect(answer).toEqual({ success: true, webhook_url: 'https://fax.example.test/courier', error: null })
    expect(addresses).toEqual(['https://fax.example.test/courier'])
    expect(recorded).toEqual([{ key_id: 'key-1', backend: 'made' }])
  })

  it.each([
    ['no provider that can be told', { able: false }, 'Apply Sinch as the provider first, then register.'],
    ['no public address', { publicUrl: '' }, 'public API URL'],
    [
      'a refusal',
      { register: () => Promise.reject(new ProviderProblem('rejected', 'Sinch said no.')) },
      'Sinch said no.',
    ],
  ])('answers %s in a sentence and records nothing', async (_what, given, sentence) => {
    const { context, recorded } = desk(given)
    const answer = await registerWebhook(context, 'key-1')
    expect(answer).toMatchObject({
      success: false,
      webhook_url: null,
      error: expect.stringContaining(sentence) as unknown,
    })
    expect(recorded).toEqual([])
  })
})
