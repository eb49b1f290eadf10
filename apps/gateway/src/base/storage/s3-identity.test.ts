import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { createSelectedStorage } from './select-storage.ts'
import { createIdentity } from './identity.ts'
import { createLocalStorage } from './local.ts'

/** Buckets in memory: objects are put, read, looked for and removed. Signatures are not looked at. */
async function bucketServer() {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '/', 'http://s3').pathname)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const found = objects.get(name)
      if (request.method === 'PUT') objects.set(name, Buffer.concat(chunks))
      else if (request.method === 'DELETE') objects.delete(name)
      else if (!found) return response.writeHead(404).end()
      response.writeHead(200, { 'content-length': request.method === 'PUT' ? 0 : (found?.length ?? 0) })
      return response.end(request.method === 'GET' ? found : undefined)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { objects, endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` }
}

const document = Buffer.from('%PDF-1.4')
const displaced = { name: 'StorageProblem', code: 'displaced' }

onEachDatabase((openDatabase) => {
  it('a bucket that is not the one is refused, at the start and when it changes, and nothing is put into it', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-bucket-'))
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await rm(directory, { recursive: true, force: true })
    })
    const { objects, endpoint } = await bucketServer()
    const database = await openDatabase()
    const events = { storageAccepted: vi.fn(async () => undefined) }
    let s3_bucket = 'ours'
    const open = () =>
      createSelectedStorage(
        createLocalStorage(join(directory, 'documents')),
        () => ({
          storage_backend: 's3',
          s3_bucket,
          s3_region: null,
          s3_prefix: 'clinic/',
          s3_endpoint_url: endpoint,
          s3_kms_key_id: null,
        }),
        (place, exists) => createIdentity({ place, exists, database, events }),
      )
    const storage = open()
    await storage.check()
    await storage.put('faxes/aa/1', document)
    expect([...objects.keys()]).toEqual(['/ours/clinic/storage-id', '/ours/clinic/faxes/aa/1'])

    s3_bucket = 'another'
    for (const each of [storage, open()]) {
      await expect(each.check()).rejects.toMatchObject(displaced)
      await expect(each.put('faxes/aa/2', document)).rejects.toMatchObject(displaced)
      await expect(each.get('faxes/aa/1')).rejects.toMatchObject(displaced)
      await expect(each.probe()).rejects.toMatchObject({
        ...displaced,
        message: expect.stringContaining('The S3 bucket "another" with the prefix "clinic/"'),
      })
    }
    expect([...objects.keys()].filter((name) => !name.startsWith('/ours/'))).toEqual([])

    s3_bucket = 'ours'
    await storage.put('faxes/aa/2', document)
    objects.set('/ours/clinic/storage-id', Buffer.from('c'.repeat(32)))
    await expect(storage.probe()).rejects.toMatchObject(displaced)
  })
})
