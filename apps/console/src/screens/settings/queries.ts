import type { DescribedSetting, ReplyOf, Routes } from '@faxdeck/contract'
import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import type { SettingsPatch } from '../../ui/form/setting-entry.ts'

export type Saved = ReplyOf<Routes['updateSettings']>['_meta']

/** Every setting as a form shows it. */
export const rowsQuery = queryOptions({
  queryKey: ['settings', 'rows'],
  queryFn: ({ signal }) => client.describeSettings({}, { signal }),
  placeholderData: keepPreviousData,
  select: ({ rows }): DescribedSetting[] => rows,
})

/** What is in force, with what the gateway makes of it. */
export const settingsQuery = callQuery(['settings', 'in force'], client.getSettings, { meta: { live: ['settings'] } })

/** How far the encryption of what was stored before is; asked again while it goes on. */
export const encryptionQuery = callQuery(['settings', 'encryption'], client.getEncryption, {
  refetchInterval: ({ state: { data } }) => (data?.state === 'encrypting' || data?.state === 'erasing' ? 2000 : false),
})

/** What a change of settings makes stale. */
export const staleAfterSaving: QueryKey[] = [['settings'], ['providers'], ['plugins'], ['config'], ['health-status']]

export const saveSettings = (body: SettingsPatch) => client.updateSettings({ body })

/** Takes back what Set Active chose. */
export const dropMark = () => client.updateSettings({ body: { next_outbound_backend: null } })

/** Lets the gateway read every layer again and rebuild what depends on it. */
export const reloadSettings = () => client.reloadSettings({})

/** The settings in force as an .env file; with secrets the gateway records that somebody has read them. */
export const exportSettings = async (secrets: boolean) => {
  const { env_content: content } = await client.exportSettings({ query: { secrets: secrets ? 'true' : 'false' } })
  return content
}

/** What writing faxdeck.env would change. */
export const previewPersist = (content: string | undefined) =>
  client.persistSettings({ body: { dry_run: true, ...(content !== undefined && { content }) } })

/** Writes faxdeck.env in the data directory: the content given, else everything in force, secrets included. */
export const persistSettings = (content: string | undefined) =>
  client.persistSettings({ body: content === undefined ? {} : { content } })

export async function restart(): Promise<void> {
  await client.restart({})
}

/** Saves what is unsaved, writes faxdeck.env and lets the gateway start anew. */
export async function saveAndRestart(body: SettingsPatch): Promise<void> {
  if (Object.keys(body).length > 0) await client.updateSettings({ body })
  await client.persistSettings({ body: {} })
  await client.restart({})
}

const secretBytes = 32

/** Random bytes as base64url without padding (RFC 4648, 5), saved as the setting's value at once. */
export async function drawSecret(key: string): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  const secret = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  await client.updateSettings({ body: { [key]: secret } })
  return secret
}

/** Where the database lies on a volume that outlives a container. */
export const persistentDatabase = 'sqlite:////faxdata/faxdeck.db'

export const switchToPersistent = () => client.updateSettings({ body: { database_url: persistentDatabase } })

/** Really stores, reads and removes a document, among other checks. */
export const runDiagnostics = () => client.runDiagnostics({})
