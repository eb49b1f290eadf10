import type { ApiKey, DescribedSetting } from '@faxdeck/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { type Providers, providersQuery } from '../../api/overview.ts'
import type { Session } from '../../session/session.ts'
import { IconKey, IconPlug, IconSettings } from '../../ui/control/icons.ts'
import type { Command } from './commands.ts'

const maxOfAKind = 5
const leastTyped = 2
const settingsPlace = 'settings/settings'

interface Sources {
  settings: Pick<DescribedSetting, 'key' | 'label' | 'env'>[]
  keys: Pick<ApiKey, 'key_id' | 'name'>[]
  providers: Providers['registry']
}

function settingCommands({ settings }: Sources, go: Session['go']): Command[] {
  return settings.map(({ key, label, env }) => ({
    key: `setting-${key}`,
    label,
    words: `${env} ${key}`,
    kind: 'Setting',
    icon: IconSettings,
    run: () => go(settingsPlace, { open: key }),
  }))
}

function keyCommands({ keys }: Sources, go: Session['go']): Command[] {
  return keys.map(({ key_id: id, name }) => ({
    key: `key-${id}`,
    label: name ?? id,
    words: `${id} API key`,
    kind: 'API key',
    icon: IconKey,
    run: () => go('settings/keys'),
  }))
}

function providerCommands({ providers }: Sources, go: Session['go']): Command[] {
  return Object.entries(providers).map(([id, { name }]) => ({
    key: `provider-${id}`,
    label: name,
    words: `${id} provider`,
    kind: 'Provider',
    icon: IconPlug,
    run: () => go(settingsPlace, { open: `provider-${id}` }),
  }))
}

/**
 * The settings, keys and providers that a palette may find. They are asked for one after another when something is
 * typed, and searched here.
 */
export function usePaletteSources(typed: string, { go, canGo }: Session) {
  const queries = useQueryClient()
  const wanted = typed.trim().length >= leastTyped && canGo(settingsPlace)
  const { data, error, isFetching } = useQuery(
    queryOptions({
      queryKey: ['palette', 'sources'],
      queryFn: async ({ signal }): Promise<Sources> => {
        const { rows: settings } = await client.describeSettings({}, { signal })
        const keys = await client.listApiKeys({}, { signal })
        const { registry: providers } = await queries.query(providersQuery)
        return { settings, keys, providers }
      },
      enabled: wanted,
      staleTime: 60_000,
    }),
  )
  const commands = wanted && data ? [providerCommands, keyCommands, settingCommands].map((each) => each(data, go)) : []
  /** The first few of each kind that fit. */
  const find = (fits: (command: Command) => boolean) =>
    commands.flatMap((kind) => kind.filter(fits).slice(0, maxOfAKind))
  return { find, error, isFetching: wanted && isFetching }
}
