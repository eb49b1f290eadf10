import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { UpkeepProblem } from '../upkeep/copy.ts'
import { acceptStorage } from '../upkeep/accept-storage.ts'
import { mayMount, mountSmall } from '../testing/small-disk.ts'
import { startGateway, type TestGateway } from '../testing/start-gateway.ts'

const letter = () => new File(['A letter.'], 'letter.txt')
const send = ({ client }: TestGateway) => client.submitFax({ form: { to: '+15555550123', file: letter() } })
const refused = {
  status: 503,
  answer: { code: 'storage_unavailable', detail: expect.stringMatching(/data|documents/) },
}

async function readiness({ app }: TestGateway) {
  const answer = await app.inject({ url: '/health/ready', headers: { host: 'localhost' }, remoteAddress: '127.0.0.1' })
  return [answer.statusCode, answer.json().checks.storage, answer.json().checks.db]
}

const delivered = ({ client }: TestGateway, id: string) =>
  expect.poll(() => client.getFax({ params: { id } }), { timeout: 20_000 }).toMatchObject({ status: 'SUCCESS' })

async function home(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-place-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Everything that changes something, as a person or a program would ask for it. */
const changes = (gateway: TestGateway) => [
  () => send(gateway),
  () => gateway.client.updateSettings({ body: { fax_header: 'Clinic' } }),
  () => gateway.client.createApiKey({ body: { name: 'Front desk', scopes: ['fax:send'] } }),
  () => gateway.client.persistSettings({ body: { content: 'FAX_HEADER=Clinic' } }),
  () => gateway.client.simulateInbound({ body: { pages: 1, status: 'received' } }),
]

it.each(['moved away', 'replaced by an empty folder'])(
  'a data directory that is %s stops everything that would be lost, and nothing is made in its place',
  async (fault) => {
    const outer = await home()
    const directory = join(outer, 'data')
    await mkdir(directory)
    const gateway = await startGateway({ directory })
    const first = await send(gateway)
    await delivered(gateway, first.id)
    await rename(directory, join(outer, 'elsewhere'))
    const isEmpty = fault === 'replaced by an empty folder'
    if (isEmpty) await mkdir(directory)
    expect(await readiness(gateway)).toEqual([503, false, false])
    for (const change of changes(gateway)) await expect(change()).rejects.toMatchObject(refused)
    await gateway.client.runDiagnostics({})
    await expect(gateway.client.getJobPdf({ params: { id: first.id } })).rejects.toMatchObject({ status: 503 })
    expect(await readdir(outer)).toEqual(isEmpty ? ['data', 'elsewhere'] : ['elsewhere'])
    if (isEmpty) expect(await readdir(directory)).toEqual([])
    await rm(directory, { recursive: true, force: true })
    await rename(join(outer, 'elsewhere'), directory)
    const second = await send(gateway)
    await delivered(gateway, second.id)
    const { jobs } = await gateway.client.listJobs({ query: {} })
    expect(jobs.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
  },
)

it.skipIf(!mayMount())('a volume that is unmounted, or another in its place, takes no fax', async () => {
  const directory = await home()
  const documents = join(directory, 'documents')
  await mkdir(documents)
  const unmount = mountSmall(documents)
  const gateway = await startGateway({ directory })
  await send(gateway)
  unmount()
  await expect(send(gateway)).rejects.toMatchObject(refused)
  expect(await readdir(documents)).toEqual([])
  const unmountOther = mountSmall(documents)
  onTestFinished(unmountOther)
  await expect(send(gateway)).rejects.toMatchObject(refused)
  expect(await readiness(gateway)).toEqual([503, false, true])
  expect(await readdir(documents)).toEqual([])
  // What is queued waits for its document instead of failing.
  const { jobs } = await gateway.client.listJobs({ query: {} })
  expect(jobs.map(({ status }) => status)).not.toContain('FAILED')
})

it('a start on another documents folder is refused with what to do, and goes on where a person accepts it', async () => {
  const directory = await home()
  const first = await startGateway({ directory })
  await send(first)
  await expect(acceptStorage({ directory, env: {} })).rejects.toThrow(UpkeepProblem)
  await first.stop()
  await rename(join(directory, 'documents'), join(directory, 'elsewhere'))
  await mkdir(join(directory, 'documents'))
  const start = startGateway({ directory })
  await expect(start).rejects.toThrow(`The documents folder ${join(directory, 'documents')} is not where`)
  await expect(start).rejects.toThrow('faxdeck accept-storage')
  expect(await readdir(join(directory, 'documents'))).toEqual([])
  await acceptStorage({ directory, env: {} })
  const third = await startGateway({ directory })
  await send(third)
  const { items } = await third.client.listLogs({ query: { event: 'storage_accepted' } })
  expect(items).toHaveLength(1)
})

it('a database file that was replaced while it was open is written no more', async () => {
  const directory = await home()
  const gateway = await startGateway({ directory })
  const path = join(directory, 'faxdeck.db')
  await rename(path, join(directory, 'aside.db'))
  await writeFile(path, '')
  expect(await readiness(gateway)).toEqual([503, true, false])
  await expect(send(gateway)).rejects.toMatchObject(refused)
  await rename(join(directory, 'aside.db'), path)
  expect((await send(gateway)).id).toMatch(/^[0-9a-f]{32}$/)
  const { jobs } = await gateway.client.listJobs({ query: {} })
  expect(jobs).toHaveLength(1)
})

it('what a killed process left in the scratch folder is removed at the next start', async () => {
  const directory = await home()
  await mkdir(join(directory, 'scratch'))
  const [old, fresh] = ['old.tiff', 'fresh.tiff'].map((name) => join(directory, 'scratch', name)) as [string, string]
  for (const path of [old, fresh]) await writeFile(path, 'II*')
  await utimes(old, new Date(0), new Date(0))
  await startGateway({ directory })
  // Another gateway may share the folder and be drawing right now.
  await expect.poll(() => readdir(join(directory, 'scratch'))).toEqual(['fresh.tiff'])
})
