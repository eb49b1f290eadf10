import { setImmediate as turn } from 'node:timers/promises'
import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'
import { cipherOf, codesName, layoutName, type PageCipher } from './cipher.ts'
import { type Direction, pagesOf } from './store.ts'

const atOnce = 100
const sealedLike = 'e1:%'

/** Seals some pages; in one transaction with reading them, so that one that goes meanwhile stays gone. */
async function sealPages({ database }: GatewayContext, cipher: PageCipher, direction: Direction): Promise<number> {
  const table = pagesOf[direction]
  return transact(database, async (tx) => {
    const rows = await tx
      .selectFrom(table)
      .select(['id', 'fax_id', 'page', 'text', 'layout'])
      .where('layout', 'is not', null)
      .where('layout', 'not like', sealedLike)
      .limit(atOnce)
      .execute()
    for (const { id, fax_id: faxId, page, text, layout } of rows) {
      const terms = [...new Set(cipher.termsOf(text.split(' ')))].join(' ')
      const sealed = cipher.seal(layoutName(faxId, page), layout ?? '')
      await tx.updateTable(table).set({ text: terms, layout: sealed }).where('id', '=', id).execute()
    }
    return rows.length
  })
}

async function sealCodes({ database }: GatewayContext, cipher: PageCipher): Promise<number> {
  return transact(database, async (tx) => {
    const rows = await tx
      .selectFrom('page_readings')
      .select(['fax_id', 'codes'])
      .where('codes', '<>', '[]')
      .where('codes', 'not like', sealedLike)
      .limit(atOnce)
      .execute()
    for (const { fax_id: faxId, codes } of rows) {
      const sealed = cipher.seal(codesName(faxId), codes)
      await tx.updateTable('page_readings').set({ codes: sealed }).where('fax_id', '=', faxId).execute()
    }
    return rows.length
  })
}

/**
 * Seals the text of pages that was read before encryption was turned on.
 * @returns how many pages
 */
export async function sealPageText(context: GatewayContext, signal: AbortSignal): Promise<number> {
  const cipher = cipherOf(context.database)
  if (!cipher) return 0
  let sealed = 0
  const steps = [
    () => sealPages(context, cipher, 'sent'),
    () => sealPages(context, cipher, 'received'),
    () => sealCodes(context, cipher),
  ]
  for (const step of steps) {
    for (let some = 1; some > 0 && !signal.aborted; sealed += some) {
      some = await step()
      await turn()
    }
  }
  return sealed
}

/** Where words of pages stand. */
export const tablesOfPageText = ['sent_pages', 'received_pages', 'page_readings'] as const
