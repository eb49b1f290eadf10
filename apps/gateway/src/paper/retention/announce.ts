import { sql } from 'kysely'
import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'
import { readCleaning, isOverdue, noticeMs, type Overdue, rulesOf } from './rules.ts'
import { receivedIsHeld, sentIsHeld } from './held.ts'

/** Every hour removes what became old within the hour, or during a notice. What is older by two days is more than usual. */
const usualMs = 2 * noticeMs

const longBefore = (rule: Overdue): Overdue => ({
  ...rule,
  before: new Date(Date.parse(rule.before) - usualMs).toISOString(),
})

/** How many faxes lose their documents, apart from those that become old in these hours. */
async function countUnusual(context: GatewayContext): Promise<number> {
  const { db } = context.database
  let found = 0
  for (const rule of (await rulesOf(context, 'sent')).map(longBefore)) {
    const { n } = await db
      .selectFrom('fax_jobs')
      .select((eb) => eb.fn.countAll<number | string>().as('n'))
      .where('document_key', 'is not', null)
      .where(isOverdue('finished_at', rule))
      .where(sql<boolean>`not ${sentIsHeld}`)
      .executeTakeFirstOrThrow()
    found += Number(n)
  }
  for (const rule of (await rulesOf(context, 'received')).map(longBefore)) {
    const { n } = await db
      .selectFrom('inbound_faxes')
      .select((eb) => eb.fn.countAll<number | string>().as('n'))
      .where('pdf_key', 'is not', null)
      .where(isOverdue('received_at', rule))
      .where(sql<boolean>`not ${receivedIsHeld}`)
      .executeTakeFirstOrThrow()
    found += Number(n)
  }
  return found
}

/**
 * Announces a deletion of more than usual: after a rule was shortened, a gateway was off for long, or a clock was set.
 * It happens a day later at the earliest, so that a person can see it and pause it.
 */
export async function announceDeletions(context: GatewayContext): Promise<void> {
  const { database, events, now } = context
  const unusual = await countUnusual(context)
  const { announced_at: since, announced } = await readCleaning(database.db)
  if (unusual === announced) return
  const isMore = unusual > announced
  const at = unusual === 0 ? null : isMore ? now().toISOString() : since
  await transact(database, async (tx) => {
    await tx.updateTable('cleaning_state').set({ announced_at: at, announced: unusual }).execute()
    if (isMore) await events.deletionsAnnounced({ faxes: unusual }, tx)
  })
}
