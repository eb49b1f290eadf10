import type { CoverFields, ReplyOf, Routes, Tones, Unreadable } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { pause } from '../../api/live/pause.ts'
import { useAction } from '../../api/use-action.ts'
import { coverFieldsOf } from './cover-draft.ts'
import {
  documentOf,
  groupFieldOf,
  isSplit,
  recipientsOf,
  settle,
  startSending,
  tonesOf,
  type Draft,
  type FailedFax,
  type KeyedRecipient,
  type SentFax,
} from './draft.ts'
import { randomKey } from '../../api/random-key.ts'
import type { useDraft } from './use-draft.ts'

/** Previews are kept for 15 minutes by the gateway; a new one is made before. */
const previewLife = 14 * 60_000
/** Text is measured when the typing pauses. */
const typingPause = 400

export type FaxPreview = ReplyOf<Routes['createPreview']>

/** The draft's document measured as a fax, and the id under which its pages can be seen. */
const previewQuery = (draft: Draft) => {
  const { source, chosen, text } = draft
  return queryOptions({
    queryKey: ['send', 'preview', source, source === 'file' ? chosen?.id : text],
    queryFn: async ({ signal }) => {
      if (source === 'text') await pause(typingPause, signal)
      const file = documentOf({ source, chosen, text }) ?? new File([], 'empty.txt')
      return client.createPreview({ form: { file } }, { signal })
    },
    enabled: documentOf(draft) !== undefined,
    placeholderData: source === 'text' ? keepPreviousData : undefined,
    staleTime: previewLife,
    refetchInterval: previewLife,
    gcTime: source === 'text' ? 0 : previewLife,
  })
}

/** The same document behind its cover page, with the number it goes to first. */
const coveredQuery = (document: FaxPreview | undefined, draft: Draft) => {
  const id = document?.id ?? ''
  const [to] = recipientsOf(draft)
  const body = { ...coverFieldsOf(draft.cover), ...groupFieldOf(draft), ...(to === undefined ? {} : { to }) }
  return queryOptions({
    queryKey: ['send', 'covered', id, body],
    queryFn: async ({ signal }) => {
      await pause(typingPause, signal)
      return client.coverPreview({ params: { id }, body }, { signal })
    },
    enabled: document !== undefined && isCovered(draft),
    // The pages of another document are none to look at meanwhile.
    placeholderData: (before, query) =>
      query?.queryKey[2] === id || draft.source === 'text' ? keepPreviousData(before) : undefined,
    staleTime: previewLife,
    gcTime: 0,
  })
}

/** Each part of a scan that is split has a cover page of its own. */
const isCovered = (draft: Draft) => draft.cover.template !== 'none' && !isSplit(draft)

/** The draft as it would be faxed, its cover page included, and what stands in the way of that. */
export function usePreview(draft: Draft) {
  const document = useQuery(previewQuery(draft))
  const covered = useQuery(coveredQuery(document.data, draft))
  const shown = !isCovered(draft) || document.data === undefined ? document : covered
  return { ...shown, documentFault: faultOf(document.error), coverFault: faultOf(covered.error) }
}

/** A refusal of the document or its cover, which no retry can change: too large, no fax can be made of it. */
const documentFaults = [413, 415, 422]

/** Why it cannot be faxed, when that is why it has no preview. */
function faultOf(problem: CallProblem | null): string | undefined {
  return problem && documentFaults.includes(problem.status) ? problem.answer?.detail : undefined
}

/** One page of a preview as it will be faxed for a group, `width` pixels wide. */
export const loadPreviewPage =
  (id: string, tones: Tones, group: string) => (page: number, width: number, signal: AbortSignal) =>
    client.getPreviewPage({ params: { id, page }, query: { width, tones, ...groupFieldOf({ group }) } }, { signal })

/** The bytes and minutes of a preview on the line, for one way of making it black and white. */
export const quoteQuery = (id: string, tones: Tones) =>
  queryOptions({
    queryKey: ['send', 'quote', id, tones],
    queryFn: ({ signal }) => client.quotePreview({ params: { id }, query: { tones } }, { signal }),
    staleTime: Infinity,
    retry: false,
  })

/** What providers charge, as the organization entered it. */
export const pricesQuery = callQuery(['report-prices'], client.listPrices, { staleTime: 60_000 })

/** How a number will be dialed, and whether it was faxed before. */
export const recipientQuery = (number: string) =>
  queryOptions({
    queryKey: ['send', 'recipient', number],
    queryFn: ({ signal }) => client.lookUpRecipient({ query: { to: number } }, { signal }),
    staleTime: 60_000,
  })

/** One after another; a refusal of one does not keep the others from being sent. */
async function submitEach(
  recipients: KeyedRecipient[],
  fax: { file: File; tones: Tones; unreadable: Unreadable; group_id?: string } & CoverFields,
  meant: readonly string[],
): Promise<{ sent: SentFax[]; failed: FailedFax[] }> {
  const sent: SentFax[] = []
  const failed: FailedFax[] = []
  for (const { to, key } of recipients) {
    const form = { to, ...fax, ...(meant.includes(to) && ({ allow_unlikely_number: 'true' } as const)) }
    await client.submitFax({ form }, { headers: { 'idempotency-key': key } }).then(
      ({ id, status }) => sent.push({ id, to, status }),
      (problem: unknown) => failed.push({ to, problem: problem as CallProblem }),
    )
  }
  return { sent, failed }
}

/** Hands the draft over, once, however often it is asked to. `onSent` hears what was accepted. */
export function useSend({ draft, change }: ReturnType<typeof useDraft>, onSent: (accepted: SentFax[]) => void) {
  const handOver = async ({ file, meant }: { file: File; meant: string[] }) => {
    const started = { ...startSending(draft, randomKey), meant }
    change(() => started)
    const { unreadable } = started
    const fax = { file, tones: tonesOf(started), unreadable, ...groupFieldOf(started), ...coverFieldsOf(started.cover) }
    const { sent, failed } = await submitEach(started.keys, fax, meant)
    // A log-out meanwhile has taken the draft away; nothing of it may come back.
    change((present) => (present.sending ? settle(present, started, sent, failed) : present))
    return sent
  }
  const { run, busy } = useAction(handOver, {
    onDone: (sent) => sent.length > 0 && onSent(sent),
    refreshes: [['jobs', 'newest'], ['send', 'recipient'], ['health-status']],
  })
  /** @param meant the numbers that were confirmed, where that is newer than the draft */
  const send = (meant = draft.meant) => {
    const file = documentOf(draft)
    if (file && !draft.sending) run({ file, meant })
  }
  return { send, busy: busy || draft.sending }
}
