import type { ProviderTraits, ReplyOf, Routes } from '@faxdeck/contract'
import { applyLayers } from '@faxdeck/settings/forms'
import { fakeProviders, fakeRows } from './fake-setting-rows.ts'
import type { World } from '../world.ts'

type Entry = ReplyOf<Routes['listProviders']>['registry'][string]

const traits: ProviderTraits = {
  webhook_path: null,
  sample_payload: null,
  signature_header: null,
  inbound_verification: 'none',
  recommended: false,
  supports_inbound: true,
  supports_oauth: false,
  supports_cancel: true,
  supports_status: true,
  requires_ami: false,
  requires_pages: true,
}

const declared: Record<string, Pick<Entry, 'kind' | 'traits'> & Partial<Entry>> = {
  phaxio: {
    kind: 'cloud',
    traits: {
      ...traits,
      recommended: true,
      webhook_path: '/phaxio-inbound',
      sample_payload: { event_type: 'fax_completed', fax: '{"id":900002}' },
      signature_header: 'X-Phaxio-Signature',
      inbound_verification: 'hmac',
      requires_pages: false,
    },
  },
  sinch: {
    kind: 'cloud',
    traits: {
      ...traits,
      webhook_path: '/sinch-inbound',
      sample_payload: { event: 'INCOMING_FAX', fax: { id: '01JEXAMPLE', from: '+15551234567' } },
      signature_header: 'Authorization',
      inbound_verification: 'basic',
      supports_oauth: true,
      requires_pages: false,
    },
  },
  trunk: { kind: 'managed', traits },
  sip: {
    kind: 'self_hosted',
    traits: {
      ...traits,
      webhook_path: '/_internal/asterisk/inbound',
      sample_payload: { tiff_path: 'inbound/1.tif', uniqueid: '1' },
      signature_header: 'X-Internal-Secret',
      inbound_verification: 'internal_secret',
      requires_ami: true,
    },
    snippets: [
      {
        title: 'Asterisk inbound dialplan',
        where: 'For extensions.conf. Replace YOUR_INTERNAL_SECRET by the internal secret.',
        code: ' same => n,NoOp(${CURL({base_url}/_internal/asterisk/inbound,${FAXDECK_NOTE})})',
      },
    ],
  },
  freeswitch: {
    kind: 'self_hosted',
    traits: { ...traits, webhook_path: '/_internal/freeswitch/outbound_result', supports_inbound: false },
  },
  testline: { kind: 'builtin', traits },
}

/** The labels of a provider's settings that are needed and not set. */
export function missingSettings(world: World, id: string, entered: Readonly<Record<string, unknown>> = {}) {
  const values: Readonly<Record<string, unknown>> = { ...applyLayers(fakeRows, world.settings).values, ...entered }
  const needed = fakeRows.filter((row) => row.provider === id && row.group === 'provider')
  return needed.filter(({ key }) => (values[key] ?? null) === null)
}

/** Every provider of the fake installation by id. */
export function registryOf(world: World): Record<string, Entry> {
  const entries = fakeProviders.map(({ value: id, label: name }): Entry => {
    const lacking = missingSettings(world, id).map(({ label }) => label)
    const missing = lacking.length === 0 ? null : `${name} cannot be used yet: ${lacking.join(' and ')} not set.`
    const own = declared[id] ?? { kind: 'builtin', traits }
    return { id, name, snippets: [], ...own, configured: missing === null, missing }
  })
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]))
}
