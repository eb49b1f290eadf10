import { createDocuments } from '@faxdeck/documents'
import { scannedPile, scanPage } from '@faxdeck/documents/testing/scans'
import { afterAll, expect, it } from 'vitest'
import { noGroup } from '../../access/groups/group-of.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { sealsOf } from '../../base/settings/seal.ts'
import { writeCode } from '../facts/sheet-code.ts'
import { submitSplit } from './split.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const seals = sealsOf(Buffer.alloc(32, 3))

async function scan(): Promise<Buffer> {
  const pageOf = async (document: Uint8Array) => {
    const page = await documents.page(document, 1, { resolution: 'fine', paper: 'letter' })
    return scanPage(page?.png ?? new Uint8Array(), {})
  }
  const sheet = (to: string) =>
    documents.separatorSheet(
      { number: to, reference: null, code: writeCode(seals, { to, reference: null }) },
      { paper: 'letter' },
    )
  const letter = await pageOf(Buffer.from('Dear colleague,'))
  const [ann, bob] = [await sheet('+15555550123'), await sheet('+15555550188')]
  return scannedPile([await pageOf(ann), letter, await pageOf(bob), letter])
}

onSqliteFirst((open) => {
  it('a scan that two gateways split at once under one key becomes its faxes once', async () => {
    const database = await open()
    const desks = [await faxDesk(database, makeLine()), await faxDesk(database, makeLine())]
    const contexts = desks.map(({ context }) => ({
      ...context,
      settings: fixedSettings({ ...context.settings.current(), max_file_size_mb: 10 }, { seals }),
    }))
    const file = { fileName: 'scan.tiff', bytes: await scan() }
    const call = { callerKeyId: 'k1', idempotencyKey: 'pile', file, tones: 'auto', unreadable: 'refuse' } as const
    const answers = await Promise.all(
      [...contexts, ...contexts].map((context) => submitSplit(context, { ...call, cover: {}, group: noGroup })),
    )
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    const ids = answers.map(({ jobs }) => jobs.map(({ id }) => id))
    expect(ids).toEqual(ids.map(() => ids[0]))
    expect(answers[3]?.jobs.map(({ to_number, pages }) => [to_number, pages])).toEqual([
      ['+15555550123', 1],
      ['+15555550188', 1],
    ])
    const kept = await database.db.selectFrom('fax_jobs').select('id').execute()
    expect(kept.map(({ id }) => id).toSorted()).toEqual(ids[0]?.toSorted())
    expect(await database.db.selectFrom('queue').select('subject_id').execute()).toHaveLength(2)
  })
})
