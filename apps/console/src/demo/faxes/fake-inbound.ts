import type { InboundFax } from '@faxdeck/contract'
import { type FakeCalls, findIn, Refusal } from '../fake-calls.ts'
import { registryOf } from '../installation/fake-providers.ts'
import { arrive, receivedFax } from '../lines/fake-line.ts'
import { assertSeen, openingsOf } from '../people/fake-openings.ts'
import { instantOf, type World } from '../world.ts'
import { addEvent } from '../records/fake-logs.ts'
import { whoIsHere } from './fake-jobs.ts'
import { pagePng, smallPdf } from './fake-page.ts'
import { isFound } from './fake-search.ts'

/** As the gateway has it: up to here, a page is a mark in a list. */
const thumbnailWidth = 128

/** The addresses that a provider calls for received faxes; the test line has one of its own. */
function callbacksOf(world: World, backend: string | undefined) {
  const path = backend && registryOf(world)[backend]?.traits.webhook_path
  if (!path) {
    const { inbound } = world.config.hybrid
    const url = 'http://127.0.0.1:8080/_internal/testline/inbound'
    return { backend: inbound, callbacks: inbound === 'testline' ? [{ name: 'Test line', url }] : [] }
  }
  const content_types = backend === 'phaxio' ? ['multipart/form-data'] : ['application/json', 'multipart/form-data']
  const url = `http://localhost:8080${path}`
  return { backend, callbacks: [{ name: `${backend} received faxes`, url, content_types }] }
}

/** An archive without files (APPNOTE 4.3.16): the demo keeps no documents. */
const emptyZip = () => Uint8Array.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])

interface Filter {
  status?: string | string[] | undefined
  group?: string | undefined
  q?: string | undefined
  unread?: string | undefined
}

const isUnread = (fax: InboundFax) => fax.read_at === null && (fax.status === 'received' || fax.concern !== null)

const fitsFilter =
  (world: World, { status, group, q, unread }: Filter) =>
  (fax: InboundFax) =>
    (!group || fax.group_id === group) &&
    (!status || [status].flat().includes(fax.status)) &&
    (!q || isFound(world, q, fax.id, fax.fr, fax.to)) &&
    (unread !== 'true' || isUnread(fax))

const findFax = (world: World, wanted: string) => findIn(world.inbound, ({ id }) => id === wanted, 'fax_not_found')

const documentOf = (world: World, id: string, content: Uint8Array) => {
  if (!findFax(world, id).document_kept) throw new Refusal('document_not_found')
  return content
}

const setRead = (world: World, fax: InboundFax, read: boolean) =>
  Object.assign(fax, {
    read_at: read ? instantOf(world.now()) : null,
    needs_attention: !read && (fax.concern !== null || (fax.status === 'failed' && fax.document_kept)),
  })

/** What is done with many received faxes at once. */
function manyCalls(world: World) {
  return {
    countInbound: ({ query }) => ({
      total: world.inbound.filter(fitsFilter(world, query)).length,
      total_is_minimum: false,
    }),
    markManyInboundRead: ({ body }) => {
      for (const id of body.ids) setRead(world, findFax(world, id), body.read)
      return { changed: body.ids.length }
    },
    markAllInboundRead: ({ body }) => {
      const fits = (fax: InboundFax) => isUnread(fax) && fax.concern === null && fax.received_at <= body.until
      const changed = world.inbound.filter(fits)
      for (const fax of changed) setRead(world, fax, true)
      return { changed: changed.length }
    },
    downloadInboundPdf: ({ body }) => documentOf(world, body.ids[0] ?? '', smallPdf()),
    downloadInboundZip: ({ body }) => documentOf(world, body.ids[0] ?? '', emptyZip()),
  } satisfies FakeCalls
}

export function inboundCalls(world: World) {
  const find = (id: string) => findFax(world, id)
  const document = (id: string, content: Uint8Array) => documentOf(world, id, content)
  return {
    ...manyCalls(world),
    listInbound: ({ query }) => {
      const all = world.inbound.filter(fitsFilter(world, query))
      const start = all.findIndex((fax) => fax.cursor === query.cursor) + 1
      return all.slice(start, start + Number(query.limit ?? 100))
    },
    getInbound: ({ params }) => {
      assertSeen(world, params.id)
      return { ...find(params.id), openings: openingsOf(world, params.id) }
    },
    getInboundPdf: ({ params }) => document(params.id, smallPdf()),
    getInboundOriginal: ({ params }) => document(params.id, smallPdf()),
    getInboundPage: ({ params: { id, page }, query: { width = thumbnailWidth + 1 } }) => {
      if (Number(width) > thumbnailWidth && Number(page) === 1)
        addEvent(world, 'document_viewed', { job_id: id, ...whoIsHere(world) })
      return document(id, pagePng(Number(page)))
    },
    markInboundRead: ({ params, body }) => setRead(world, find(params.id), body.read),
    fetchInboundAgain: ({ params }) =>
      Object.assign(find(params.id), {
        status: 'received',
        error: null,
        next_try_at: null,
        pages: 1,
        document_kept: true,
        document_missing: false,
      }),
    listCallbacks: ({ query }) => callbacksOf(world, query.backend),
    simulateInbound: ({ body }) => {
      const { pages = 1, to = '+15555550123', status = 'received' } = body ?? {}
      const failed = { error: 'The document could not be fetched.', pages: null, document_kept: false }
      const fields = status === 'failed' ? failed : { pages }
      const fax = receivedFax(world, { to: `********${to.slice(-4)}`, status, is_test: true, ...fields })
      arrive(world, fax)
      return { ok: true, id: fax.id, status: 'ok' }
    },
  } satisfies FakeCalls
}
