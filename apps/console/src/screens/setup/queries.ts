import type { LogEntry, ReplyOf, Routes } from '@faxdeck/contract'
import { CallProblem } from '@faxdeck/contract/client'
import { queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { watch } from '../../api/live/watch.ts'
import { useSessionState } from '../../api/use-session-state.ts'
import { patchOf } from '../../ui/form/setting-entry.ts'
import { freshDraft, type Plan, type SetupDraft } from './plan.ts'

const lines = [
  'FAXDECK TEST PAGE',
  '',
  'This page was sent to test sending and receiving faxes.',
  'It contains no patient data. No action is needed.',
]

/** One page of text that says what it is. */
const testPage = () => new File([`${lines.join('\n')}\n`], 'faxdeck_test_page.txt', { type: 'text/plain' })

const draftKey = ['setup', 'draft']

/** What a person has entered in the setup. Secrets are among it: it never reaches the browser's storage. */
export const useSetupDraft = () => useSessionState<SetupDraft>(draftKey, freshDraft)

/** Every setting as a form shows it. */
export const settingsQuery = callQuery(['settings', 'rows'], client.describeSettings)

/** The addresses to register with a provider, whether or not it receives now. */
export const callbacksQuery = (backend: string) =>
  queryOptions({
    queryKey: ['inbox', 'callbacks', backend],
    queryFn: ({ signal }) => client.listCallbacks({ query: { backend } }, { signal }),
  })

/** Lets a made fax arrive through a provider. */
export const simulateInbound = (backend: string) =>
  client.simulateInbound({ body: { backend, pages: 1, status: 'received' } })

/** Begins to wait for a received fax: from now on, by the gateway's own clock. */
export const startWaiting = async () => (await client.getHealthStatus({})).timestamp

export const maxTries = 30

/** What was seen so far while waiting for a received fax. */
export interface Waiting {
  tries: number
  arrived?: LogEntry
  /** Why the last try failed. */
  problem?: CallProblem
}

/** Waits for a received fax: the log is read every 2 s, about 30 times, also while the person looks elsewhere. */
export const waitingQuery = (since: string) => {
  const queryKey = ['setup', 'waiting', since]
  return queryOptions({
    queryKey,
    queryFn: async ({ client: queries, signal }): Promise<Waiting> => {
      const tries = (queries.getQueryData<Waiting>(queryKey)?.tries ?? 0) + 1
      try {
        const query = { event: 'inbound_received', since, limit: 1 }
        const [arrived] = (await client.listLogs({ query }, { signal })).items
        return arrived ? { tries, arrived } : { tries }
      } catch (problem) {
        if (problem instanceof CallProblem) return { tries, problem }
        throw problem
      }
    },
    refetchInterval: ({ state: { data } }) => (data?.arrived || (data?.tries ?? 0) >= maxTries ? false : watch.job),
    refetchIntervalInBackground: true,
    staleTime: Infinity,
  })
}

export type Validation = ReplyOf<Routes['validateSettings']>

/** What the plan would change, as the wire takes it. */
export const bodyOf = ({ settings, changes }: Plan) => patchOf(settings, changes)

/** Asks the real provider whether it works with what is entered over what is in force. */
export const validate = (plan: Plan, backend: string): Promise<Validation> =>
  client.validateSettings({ body: { ...bodyOf(plan), backend } })

/** How far an apply has come when it fails: what is saved stays saved. */
export interface Applying {
  plan: Plan
  providers: readonly string[]
  onSaved: () => void
}
export interface Applied {
  restart: boolean
  checked: Validation[]
}

/** Saves the changes, lets the gateway take them in, and tries the providers again with what is now in force. */
export async function apply({ plan, providers, onSaved }: Applying): Promise<Applied> {
  // What the wizard shows is what counts, also against a provider that Set Active chose meanwhile.
  const isMarked = plan.settings.some(({ key, value }) => key === 'next_outbound_backend' && value !== null)
  const body = { ...(isMarked && { next_outbound_backend: null }), ...bodyOf(plan) }
  const { _meta: meta } = await client.updateSettings({ body })
  onSaved()
  await client.reloadSettings({})
  const checked = await Promise.all(providers.map((backend) => client.validateSettings({ body: { backend } })))
  return { restart: meta.restart_recommended, checked }
}

/** The settings in force as an .env file; with secrets the gateway records that somebody has read them. */
export const exportSettings = (secrets: boolean) =>
  client.exportSettings({ query: { secrets: secrets ? 'true' : 'false' } })

/** Registers our inbound address with the provider whose traits say that this can be done. */
export const registerWebhook = () => client.registerSinchWebhook({})

/** Sends the test page. The key makes a repeat of the same press the same fax. */
export const sendTestPage = ({ to, key }: { to: string; key: string }) =>
  client.submitFax({ form: { to, file: testPage() } }, { headers: { 'idempotency-key': key } })

const lineTestKey = ['setup', 'line-test']

/** The line test; looked at every other second while it runs. */
export const lineTestQuery = queryOptions({
  queryKey: lineTestKey,
  queryFn: ({ signal }) => client.getLineTest({}, { signal }),
  refetchInterval: ({ state: { data } }) => (data?.running === true ? watch.job : false),
})

export const startLineTest = () => client.startLineTest({})
export const lineTestRefresh = [lineTestKey]
