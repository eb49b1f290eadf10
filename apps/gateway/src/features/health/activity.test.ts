import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import { newJob } from '../../testing/fax-desk.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { join } from 'node:path'

it('five hundred problems are as many entries as they have causes, each with its count and its newest fax', async () => {
  const { client, directory } = await startGateway()
  const database = await connect(`sqlite:${join(directory, 'faxdeck.db')}`)
  const sentences = ['Busy, 4 attempts.', 'The number is not in service.', 'Nobody answered.']
  const jobs = Array.from({ length: 450 }, (_, n) => {
    const at = new Date(Date.now() - (450 - n) * 1000).toISOString()
    const error = sentences[n % 3] ?? null
    const ended = { status: 'FAILED', phase: 'failed', error, finished_at: at } as const
    return newJob({
      ...ended,
      id: randomBytes(16).toString('hex'),
      backend: 'testline',
      created_at: at,
      updated_at: at,
    })
  })
  const waiting = Array.from({ length: 50 }, () => {
    const at = new Date().toISOString()
    return newJob({ status: 'in_progress', phase: 'uncertain', backend: 'testline', created_at: at, updated_at: at })
  })
  const at = new Date(Date.now() - 500_000).toISOString()
  const ended = { status: 'FAILED', phase: 'partial', error: 'Cut off after page 1 of 3.', finished_at: at } as const
  const all = [...jobs, ...waiting, newJob({ ...ended, backend: 'testline', created_at: at, updated_at: at })]
  for (let from = 0; from < all.length; from += 100) {
    await database.db
      .insertInto('fax_jobs')
      .values(all.slice(from, from + 100))
      .execute()
  }
  await database.close()
  const { attention } = await client.getActivity({ query: {} })
  expect(attention.map(({ kind, count }) => [kind, count])).toEqual([
    ['uncertain', 50],
    ['partial', 1],
    ['failed', 150],
    ['failed', 150],
    ['failed', 150],
  ])
  expect(attention[2]?.job_id).toBe(jobs.at(-1)?.id)
})

it('a chart of the test line stays as it was when a provider is set up, and ends with the first real fax', async () => {
  const { client, directory } = await startGateway()
  const database = await connect(`sqlite:${join(directory, 'faxdeck.db')}`)
  const at = (minutes: number) => new Date(Math.floor(Date.now() / 300_000) * 300_000 - minutes * 60_000).toISOString()
  const add = (hour: string, more: object) =>
    database.db
      .insertInto('activity_hours')
      .values({ hour, delivered: 0, failed: 0, received: 0, test_delivered: 0, test_failed: 0, ...more })
      .execute()
  const shown = async () => {
    const { hours } = await client.getActivity({ query: { range: '1h' } })
    return hours.map(({ delivered, failed }) => [delivered, failed]).filter(([a = 0, b = 0]) => a + b > 0)
  }
  await add(at(40), { test_delivered: 3, test_failed: 1 })
  expect(await shown()).toEqual([[3, 1]])
  await client.updateSettings({ body: { sinch_project_id: 'p', sinch_api_key: 'k', sinch_api_secret: 's' } })
  expect(await shown()).toEqual([[3, 1]])
  await add(at(20), { delivered: 2, test_delivered: 5 })
  expect(await shown()).toEqual([
    [3, 1],
    [2, 0],
  ])
  await database.close()
})

it('a fax that was given up after a day or longer is among those that failed', async () => {
  const { client, directory } = await startGateway()
  const database = await connect(`sqlite:${join(directory, 'faxdeck.db')}`)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const error = 'Phaxio cannot be reached.'
  const job = newJob({
    ...({ status: 'FAILED', phase: 'failed', error, error_kind: 'unreachable', backend: 'phaxio' } as const),
    ...{ created_at: hoursAgo(25), updated_at: hoursAgo(0), finished_at: hoursAgo(0) },
  })
  await database.db.insertInto('fax_jobs').values(job).execute()
  await database.close()
  const { attention } = await client.getActivity({ query: {} })
  expect(attention).toMatchObject([{ kind: 'failed', job_id: job.id, sentence: error }])
})
