import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { gatherReadings, pageTextWork } from './enqueue.ts'
import { readFax, readSkipped } from './read.ts'
import { type FoundFax, maskNumber } from '@faxdeck/contract'
import type { Database } from '../../base/db/database.ts'
import type { Caller, Handlers } from '../../base/http/handler.ts'
import { isVisible, requireVisible, visibleFaxes, visibleReceived } from '../../access/visible.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { recordView } from '../../access/record-view.ts'
import { type Query, queryOf } from './fold.ts'
import { layoutName, openText } from './cipher.ts'
import { excerptOf, readMarks } from './marks.ts'
import { type Direction, findPages, type FoundPage, pagesOf } from './store.ts'

/** Pages looked at for each fax that is shown: a fax of many pages may have the words on all of them. */
const pagesAFax = 20

/** One page of each fax: of those with the words, the last one that comes, which is the first of the fax. */
function firstPages(pages: readonly FoundPage[], max: number): FoundPage[] {
  const byFax = new Map<string, FoundPage>()
  for (const page of pages) {
    const known = byFax.get(page.fax_id)
    // A page with words says more than the number of the fax.
    if (!known || known.page === 0 || (page.page > 0 && page.page < known.page)) byFax.set(page.fax_id, page)
  }
  return [...byFax.values()].slice(0, max)
}

async function excerptsOf({ db }: Database, direction: Direction, found: readonly FoundPage[], query: Query) {
  const excerpts = new Map<string, string | null>()
  for (const { fax_id: id, page } of found) {
    const rows = db.selectFrom(pagesOf[direction]).select('layout').where('fax_id', '=', id)
    const row = await rows.where('page', '=', page).executeTakeFirst()
    const layout = row?.layout ?? null
    excerpts.set(id, excerptOf(layout && openText(layoutName(id, page), layout), query))
  }
  return excerpts
}

async function facesOf({ db }: Database, direction: Direction, ids: readonly string[]) {
  if (direction === 'sent') {
    const jobs = await db
      .selectFrom('fax_jobs')
      .select(['id', 'to_number', 'file_name', 'created_at'])
      .where('id', 'in', ids)
      .execute()
    return jobs.map(({ id, to_number: number, file_name: name, created_at: at }) => {
      return { id, number: maskNumber(number), name, at }
    })
  }
  const faxes = db.selectFrom('inbound_faxes').select(['id', 'from_number', 'received_at']).where('id', 'in', ids)
  return (await faxes.execute()).map(({ id, from_number: number, received_at: at }) => ({ id, number, name: null, at }))
}

const faxesOf = { sent: 'fax_jobs', received: 'inbound_faxes' } as const satisfies Record<Direction, string>

/** Faxes whose id begins so: an index answers, whether or not their pages were read. */
async function byId({ db }: Database, direction: Direction, typed: string, limit: number): Promise<FoundPage[]> {
  if (!/^[0-9a-f]{4,32}$/.test(typed)) return []
  const ids = db.selectFrom(faxesOf[direction]).select('id').where('id', '>=', typed).where('id', '<', `${typed}g`)
  return (await ids.limit(limit).execute()).map(({ id }) => ({ fax_id: id, page: 0 }))
}

async function searchOne(database: Database, direction: Direction, typed: string, limit: number): Promise<FoundFax[]> {
  const query = queryOf(typed)
  if (!query) return []
  const named = await byId(database, direction, typed.trim().toLowerCase(), limit)
  const pages = await findPages(database, direction, query, { max: limit * pagesAFax })
  const found = firstPages([...named, ...pages], limit)
  if (found.length === 0) return []
  const ids = found.map(({ fax_id: id }) => id)
  const [excerpts, faces] = [
    await excerptsOf(database, direction, found, query),
    await facesOf(database, direction, ids),
  ]
  const pageOf = new Map(found.map(({ fax_id: id, page }) => [id, page]))
  return faces.map((face) => ({
    ...face,
    direction,
    page: pageOf.get(face.id) ?? 0,
    excerpt: excerpts.get(face.id) ?? null,
  }))
}

/** The calls about what pages say. */
function pageTextHandlers(context: GatewayContext) {
  const { database, settings } = context
  const requireReceived = async (id: string, caller: Caller) => {
    const faxes = database.db.selectFrom('inbound_faxes').select(['group_id', 'to_number']).where('id', '=', id)
    const found = await faxes.executeTakeFirst()
    if (!found || !isVisible(visibleReceived(caller), found)) throw new Problem('fax_not_found')
  }
  return {
    searchFaxes: async ({ query: { q, limit }, caller }) => {
      const sent = await searchOne(database, 'sent', q, limit)
      const received = settings.current().inbound_enabled ? await searchOne(database, 'received', q, limit) : []
      const faxes = [...sent, ...received].toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit)
      const read = faxes.filter(({ excerpt }) => excerpt !== null)
      const view = { key_id: caller.keyId, width: 'excerpt' } as const
      await Promise.all(read.map(({ id, page }) => recordView(context, { ...view, job_id: id, page })))
      return { faxes }
    },
    getJobMarks: async ({ params, query, caller }) => {
      await requireVisible(database, params.id, visibleFaxes(caller))
      return { pages: await readMarks(database, 'sent', params.id, query.q) }
    },
    getInboundMarks: async ({ params, query, caller }) => {
      if (!settings.current().inbound_enabled) throw new Problem('inbound_disabled')
      await requireReceived(params.id, caller)
      return { pages: await readMarks(database, 'received', params.id, query.q) }
    },
  } satisfies Partial<Handlers>
}

/** Reads what pages say, and finds faxes by it. */
export function createPageText(context: GatewayContext) {
  const { events, settings } = context
  events.onRecording(gatherReadings(context))
  settings.onChange(async ({ keys }) => {
    if (keys.includes('fax_text') && settings.current().fax_text) await readSkipped(context)
  })
  return {
    name: 'page-text',
    routes: pageTextHandlers(context),
    work: { [pageTextWork]: (claim, signal) => readFax(context, claim, signal) },
  } satisfies Feature
}
