import {
  type UncertainAttempt,
  type Host,
  type Line,
  listFrom,
  listsReachPast,
  matchAttempt,
  formFile,
  notListed,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  readPages,
} from '@faxdeck/provider-kit'
import { attemptOf, createdAt, listedOf, numberOf, readFax, readFaxes, readPage, updateOf } from './fax.ts'
import { incomingOf } from './received.ts'
import { openProject, type SinchProject } from './account.ts'
import { registerWebhook } from './register.ts'
import { withCredentials } from './webhook-address.ts'

const pageSize = 100

async function formOf(fax: OutgoingFax, settings: ProviderSettings): Promise<FormData> {
  const form = new FormData()
  form.append('to', fax.to)
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

/** Recognizes an attempt by the callback address it was given, else by number and time among faxes without one. */
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
    return fax && createdAt(fax)
  })
  const listed = await sentTo(handedOver.to, since)
  const ours = listed.find((fax) => attemptOf(fax) === attemptId)
  if (ours) return { taken: true, providerId: ours.id } as const
  const unmarked = listed.filter((fax) => attemptOf(fax) === undefined)
  if (unmarked.length === 0) return notListed('Sinch', reachesPast)
  const asListed = unmarked.map((fax) => ({ providerId: fax.id, to: numberOf(fax), createdAt: createdAt(fax) }))
  const providerId = await matchAttempt(asListed, handedOver)
  if (providerId !== undefined) return { taken: true, providerId } as const
  throw new ProviderProblem('uncertain', 'Sinch has several faxes to this number, and it is unknown which one is this.')
}

/** Opens the project at Sinch. Sinch has no call that cancels a fax. */
export function openSinch(host: Host, settings: ProviderSettings): Line {
  const project = openProject(host, settings)
  return {
    fetchesDocument: settings.sinch_document === 'link',
    send: async (fax, signal) => {
      const [taken] = readFaxes(await project.ask('faxes', signal, { body: await formOf(fax, settings) }))
      if (!taken) throw new ProviderProblem('uncertain', 'Sinch accepted the fax but returned no id.')
      const { attemptId: _, ...update } = updateOf(taken)
      return { providerId: taken.id, update }
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
