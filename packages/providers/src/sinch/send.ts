import {
  type UncertainAttempt,
  type Host,
  type Line,
  listFrom,
  listsReachPast,
  formFile,
  notListed,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  readPages,
} from '@faxdeck/provider-kit'
import { attemptOf, createdAt, listedOf, readFax, readFaxes, readPage, updateOf } from './fax.ts'
import { incomingOf } from './received.ts'
import { openProject, type SinchProject } from './account.ts'
import { registerWebhook } from './register.ts'
import { withCredentials } from './webhook-address.ts'

const pageSize = 100

async function formOf(fax: OutgoingFax, settings: ProviderSettings): Promise<FormData> {
  const form = new FormData()
  form.append('to', fax.to)
  form.append('labels[attempt]', fax.attemptId)
  if (fax.headerText !== undefined) form.append('headerText', fax.headerText)
  const from = fax.from ?? settings.sinch_from
  if (from) form.append('from', String(from))
  if (settings.sinch_service_id) form.append('serviceId', String(settings.sinch_service_id))
  // Whether and when a fax is tried again is decided in one place, and that is the gateway.
  form.append('maxRetries', '0')
  const callbackUrl = fax.callbackUrl === null ? undefined : withCredentials(fax.callbackUrl, settings)
  if (callbackUrl !== undefined) {
    form.append('callbackUrl', callbackUrl)
    form.append('callbackUrlContentType', 'application/json')
  }
  if (settings.sinch_document === 'link') form.append('contentUrl', await fax.documentUrl())
  else form.append('file', formFile(await fax.pdf(), 'application/pdf'), 'fax.pdf')
  return form
}

/** Faxes since an instant, to the last page. */
const listFaxes = (project: SinchProject, since: Date, which: Record<string, string>, signal: AbortSignal) =>
  readPages('Sinch', pageSize, async (page) => {
    const query = new URLSearchParams({ ...which, 'createTime>': since.toISOString(), pageSize: String(pageSize) })
    if (page !== undefined) query.set('page', String(page))
    return readPage(await project.ask(`faxes?${query}`, signal))
  })

/**
 * Recognizes an attempt by the label or the callback address that it was given, never by its number. Its list is asked
 * for by number all the same: how Sinch reads a filter by label is not documented, and one that it misunderstands would
 * show an empty list.
 */
async function findAttempt(
  project: SinchProject,
  attemptId: string,
  handedOver: UncertainAttempt,
  signal: AbortSignal,
) {
  const sentTo = (to: string, since: Date) => listFaxes(project, since, { direction: 'OUTBOUND', to }, signal)
  const since = listFrom(handedOver)
  const reachesPast = await listsReachPast(handedOver, async (witness) => {
    const listed = await sentTo(witness.to, since)
    const fax = listed.find(({ id }) => id === witness.providerId)
    return fax && attemptOf(fax) === witness.attemptId ? createdAt(fax) : undefined
  })
  const listed = await sentTo(handedOver.to, since)
  const ours = listed.find((fax) => attemptOf(fax) === attemptId)
  if (ours) return { taken: true, providerId: ours.id, update: updateOf(ours) } as const
  for (const { id } of listed.filter((fax) => attemptOf(fax) === undefined)) {
    if (await handedOver.isKnown(id)) continue
    const sentence = 'Sinch lists a fax to this number without a reference, and it is unknown whether it is this one.'
    throw new ProviderProblem('uncertain', sentence)
  }
  return notListed('Sinch', reachesPast)
}

/** Opens the project at Sinch. Sinch has no call that cancels a fax. */
export function openSinch(host: Host, settings: ProviderSettings): Line {
  const project = openProject(host, settings)
  return {
    fetchesDocument: settings.sinch_document === 'link',
    send: async (fax, signal) => {
      const [taken] = readFaxes(await project.ask('faxes', signal, { body: await formOf(fax, settings) }))
      if (!taken) throw new ProviderProblem('uncertain', 'Sinch accepted the fax but returned no id.')
      return { providerId: taken.id, update: updateOf(taken) }
    },
    status: async (providerId, signal) => {
      const fax = readFax(await project.ask(`faxes/${encodeURIComponent(providerId)}`, signal, { missing: true }))
      return fax && updateOf(fax)
    },
    find: (attemptId, signal, handedOver) => findAttempt(project, attemptId, handedOver, signal),
    fetchDocument: (reference, signal) => project.fetchFile(encodeURIComponent(reference), signal),
    listReceived: async (since, signal) =>
      (await listFaxes(project, since, { direction: 'INBOUND' }, signal)).flatMap((fax) => incomingOf(fax) ?? []),
    // Also those without our address: none is given along while there is no password that could prove it.
    listSent: async (since, signal) =>
      (await listFaxes(project, since, { direction: 'OUTBOUND' }, signal)).map(listedOf),
    registerWebhook: (address, signal) => registerWebhook(project, address, settings, signal),
  }
}
