import { createHmac } from 'node:crypto'
import { settingRows } from '@faxdeck/settings'
import { describe, expect, it } from 'vitest'
import { declarationFaults, registryFaults } from './conformance-declaration.ts'
import { updateFaults, webhookFaults } from './conformance-webhooks.ts'
import { describeProvider, faultyFetch, type WebhookFixture } from './conformance.ts'
import { missingOf } from '../setup/missing.ts'
import { ProviderProblem, type FailureKind, type Line, type Provider } from '../provider.ts'
import { verifyTwilio } from '../verify/verify-twilio.ts'

const acmeSettings = settingRows({ group: 'server' }, [
  {
    type: 'secret',
    key: 'acme_api_key',
    env: 'ACME_API_KEY',
    at: 'acme.api_key',
    group: 'provider',
    provider: 'acme',
    label: 'Acme key',
    help: 'From the Acme console.',
    default: null,
  },
])

const acme: Provider = {
  id: 'acme',
  name: 'Acme',
  kind: 'cloud',
  traits: {
    webhook_path: '/acme-inbound',
    sample_payload: null,
    signature_header: 'X-Acme-Signature',
    inbound_verification: 'hmac',
    recommended: false,
    supports_inbound: false,
    supports_oauth: false,
    supports_cancel: false,
    supports_status: false,
    requires_ami: false,
    requires_pages: false,
  },
  settings: acmeSettings,
  missing: missingOf('Acme', acmeSettings, ['acme_api_key']),
  account: ({ acme_api_key: key }) => String(key),
  open: (host) => openAcme(host.fetch),
  webhooks: [
    {
      path: '/acme-callback',
      name: 'status callback',
      purpose: 'status',
      proveHead: ({ headers }, { acme_api_key: key }) => (key && headers['x-acme-signature'] ? 'pending' : 'none'),
      verify: (request, settings) => verifyTwilio(request, 'X-Acme-Signature', settings.acme_api_key as string | null),
      translate: () => ({ updates: [{ providerId: '1', state: 'delivered' }] }),
    },
  ],
  checks: [],
  concurrency: 1,
}

function openAcme(fetch: typeof globalThis.fetch): Line {
  const kinds = new Map<number, FailureKind>([
    [401, 'bad_credentials'],
    [422, 'rejected'],
    [429, 'rate_limited'],
  ])
  return {
    send: async () => {
      const response = await fetch('https://acme.example/').catch((error: unknown) => {
        const refused = error instanceof TypeError
        throw new ProviderProblem(refused ? 'unreachable' : 'uncertain', 'Acme did not answer.')
      })
      const isOwn = response.headers.get('content-type') === 'application/json'
      const kind = response.status === 503 && isOwn ? 'unreachable' : (kinds.get(response.status) ?? 'uncertain')
      throw new ProviderProblem(kind, 'Acme refused.', Number(response.headers.get('retry-after') ?? 0) || undefined)
    },
  }
}

const url = 'https://fax.example.test/acme-callback'
const callback: WebhookFixture = {
  name: 'delivered',
  path: '/acme-callback',
  proves: 'content',
  request: {
    method: 'POST',
    url,
    headers: { 'x-acme-signature': createHmac('sha1', 'k').update(`${url}statusdone`).digest('base64') },
    query: {},
    body: new Uint8Array(),
    fields: [['status', 'done']],
    files: [],
  },
}

describeProvider(acme, {
  settings: { acme_api_key: 'k' },
  fixtures: [callback],
  sending: { lineWith: (fault) => openAcme(faultyFetch(fault)) },
})

describe('the conformance suite', () => {
  const [row] = acmeSettings
  it.each<[string, Partial<Provider>]>([
    ['id', { id: 'Acme!' }],
    ['traits lack supports_oauth', { traits: { ...acme.traits, supports_oauth: undefined } as never }],
    ['secret and is not typed secret', { settings: [{ ...row, type: 'text' }] }],
    ['upper-case words', { settings: [{ ...row, env: 'acmeKey' }] }],
    ['does not name its provider', { settings: [{ ...row, provider: 'other' }] }],
    ['default of acme_api_key', { settings: [{ ...row, default: 'x', check: () => 'No.' }] }],
    [
      'hint',
      { checks: [{ name: 'key_set', severity: 'warning', hint: 'set the key', run: () => ({ passed: true }) }] },
    ],
    ['webhook path', { webhooks: acme.webhooks.map((webhook) => ({ ...webhook, path: 'Acme Callback' })) }],
    ['_internal', { webhooks: acme.webhooks.map((webhook) => ({ ...webhook, path: '/_internal/acme' })) }],
  ])('finds what is wrong with the declaration: %s', (fault, change) => {
    expect(declarationFaults({ ...acme, ...change }).join(' ')).toContain(fault)
  })

  it('finds names that are claimed twice', () => {
    const faults = registryFaults([acme, { ...acme, id: 'acme-two' }], [{ ...row, key: 'core', keyAliases: ['core'] }])
    expect(faults.join(' ')).toMatch(/\/acme-callback.*core.*acme_api_key.*ACME_API_KEY.*acme\.api_key/)
  })

  it('finds a webhook that believes everybody, and one that does not believe its own provider', () => {
    const believing = (verify: () => boolean) => ({
      ...acme,
      webhooks: acme.webhooks.map((webhook) => ({ ...webhook, verify })),
    })
    const settings = { acme_api_key: 'k' }
    const credulous = webhookFaults(
      believing(() => true),
      callback,
      settings,
    ).join(' ')
    expect(credulous).toContain('without proof is accepted')
    expect(credulous).toContain('the changed field status is accepted')
    expect(credulous).toContain('another address is accepted')
    expect(
      webhookFaults(
        believing(() => false),
        callback,
        settings,
      ),
    ).toEqual(['delivered: a true proof is refused.'])
  })

  it('finds a webhook that reads bodies of everybody, and one that promises more than a head can prove', () => {
    const judging = (proof: 'proved' | 'pending') => ({
      ...acme,
      webhooks: acme.webhooks.map((webhook) => ({ ...webhook, proveHead: () => proof })),
    })
    expect(webhookFaults(judging('pending'), callback, { acme_api_key: 'k' })).toEqual([
      'delivered: a body without any proof in its head is read.',
      'delivered: a body is read while nothing is set up.',
    ])
    expect(webhookFaults(judging('proved'), callback, { acme_api_key: 'k' })).toContain(
      'delivered: its head counts as proved instead of pending.',
    )
  })

  it('finds failures that are not reported properly', () => {
    expect(updateFaults({ providerId: '1', state: 'failed', kind: 'busy', sentence: 'The line was busy.' })).toEqual([])
    expect(updateFaults({ providerId: '1', state: 'failed' })).toHaveLength(2)
    expect(updateFaults({ state: 'delivered' })).toEqual(['The update names no fax.'])
  })
})
