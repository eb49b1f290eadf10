import type { ReplyOf, Routes } from '@faxdeck/contract'
import { freeswitchTraits } from '@faxdeck/providers/freeswitch/traits'
import { phaxioTraits } from '@faxdeck/providers/phaxio/traits'
import { sinchTraits } from '@faxdeck/providers/sinch/traits'
import { sipTraits } from '@faxdeck/providers/sip/traits'
import { testlineTraits } from '@faxdeck/providers/testline/traits'
import { trunkTraits } from '@faxdeck/providers/trunk/traits'
import { applyLayers } from '@faxdeck/settings/forms'
import { fakeProviders, fakeRows } from './fake-setting-rows.ts'
import type { World } from '../world.ts'

type Entry = ReplyOf<Routes['listProviders']>['registry'][string]

const declared: Record<string, Pick<Entry, 'kind' | 'traits'> & Partial<Entry>> = {
  phaxio: { kind: 'cloud', traits: phaxioTraits },
  sinch: { kind: 'cloud', traits: sinchTraits },
  trunk: { kind: 'managed', traits: trunkTraits },
  sip: {
    kind: 'self_hosted',
    traits: sipTraits,
    snippets: [
      {
        title: 'Asterisk inbound dialplan',
        where: 'For extensions.conf. Replace YOUR_INTERNAL_SECRET with the internal secret.',
        code: ' same => n,NoOp(${CURL({base_url}/_internal/asterisk/inbound,${FAXDECK_NOTE})})',
      },
    ],
  },
  freeswitch: { kind: 'self_hosted', traits: freeswitchTraits },
  testline: { kind: 'builtin', traits: testlineTraits },
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
    const own = declared[id] ?? { kind: 'builtin', traits: testlineTraits }
    return { id, name, snippets: [], ...own, configured: missing === null, missing }
  })
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]))
}
