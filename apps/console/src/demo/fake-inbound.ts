import type { FakeCalls } from '../demo/fake-calls.ts'
import { arrive, receivedFax } from './fake-line.ts'
import { isFound } from './fake-search.ts'
import { pagePng, smallPdf } from './fake-page.ts'
import { registryOf } from './fake-providers.ts'
import { Refusal } from '../demo/refusal.ts'
import { instantOf, type World } from '../demo/world.ts'

/** The addresses that a provider calls for received faxes; the test line has one of its own. */
function callbacksOf(world: World, backend: string | undefined) {
  const path = backend && registryOf(world)[backend]?.traits.webhook_path
  if (!path) {
    const url = 'http://127.0.0.1:8080/_internal/testline/inbound'
    return { backend: world.config.hybrid.inbound, callbacks: [{ name: 'Test line', url }] }
  }
  const content_types = backend === 'phaxio' ? ['multipart/form-data'] : ['application/json', 'multipart/form-data']
  const url = `http://localhost:8080${path}`
  return { backend, callbacks: [{ name: `${backend} received faxes`, url, content_types }] }
}

export function inboundCalls(world: World) {
  const find = (id: string) => {
    const fax = world.inbound.find((each) => each.id === id)
    if (!fax) throw new Refusal('fax_not_found')
    return fax
  }
  const document = (id: string, content: Uint8Array) => {
    if (!find(id).document_kept) throw new Refusal('document_not_found')
    return content
  }
  return {
    listInbound: ({ query }) => {
      const all = world.inbound.filter(
        (fax) => (!query.status || fax.status === query.status) && (!query.q || isFound(query.q, fax.fr, fax.to)),
      )
      const start = all.findIndex((fax) => fax.cursor === query.cursor) + 1
      return all.slice(start, start + Number(query.limit ?? 100))
    },
    getInbound: ({ params }) => find(params.id),
    getInboundPdf: ({ params }) => document(params.id, smallPdf()),
    getInboundOriginal: ({ params }) => document(params.id, smallPdf()),
    getInboundPage: ({ params }) => document(params.id, pagePng(Number(params.page))),
    markInboundRead: ({ params, body }) =>
      Object.assign(find(params.id), {
        read_at: body.read ? instantOf(world.now()) : null,
        needs_attention: !body.read && find(params.id).concern !== null,
      }),
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
