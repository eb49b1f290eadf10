import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { writeMigrated } from '../../testing/migrated-file.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { importInstallation } from '../../upkeep/import/apply.ts'
import { planImport } from '../../upkeep/import/plan.ts'
import { id, oldInstallation, pdf } from '../../upkeep/import/testing/old-installation.ts'
import { encryptStorage } from '../encryption/encrypt-storage.ts'
import { createSelectedStorage } from './select-storage.ts'
import { createIdentity } from './identity.ts'
import { createLocalStorage } from './local.ts'
import { createS3Storage, type S3Place } from './s3.ts'
import { filesWith } from './testing/files-with.ts'
import { keysIn } from './testing/keys-in.ts'
import { keysOf } from '../encryption/testing/keys-of.ts'
import { describeStorage } from './testing/storage.suite.ts'
import { findSwift, startSwift, type SwiftServer } from './testing/swift.ts'

const place = (endpoint: string, change: Partial<S3Place> = {}): S3Place => ({
  bucket: 'faxes',
  region: 'us-east-1',
  prefix: 'clinic/',
  endpoint,
  kmsKeyId: null,
  ...change,
})

async function newDatabase(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-storage-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeMigrated(join(directory, 'faxdeck.db'))
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  onTestFinished(() => database.close())
  return database
}

function useCredentials(accessKeyId: string, secretAccessKey: string) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey)
}

describe.skipIf(!findSwift())('on a real S3 server', () => {
  let swift: SwiftServer
  let buckets = 0

  // Longer than Swift itself is waited for, so that servers which come up too late are ended.
  beforeAll(async () => {
    swift = await startSwift()
    useCredentials(swift.accessKeyId, swift.secretAccessKey)
  }, 120_000)
  afterAll(() => {
    swift.stop()
    vi.unstubAllEnvs()
  })

  const makeBucket = async (): Promise<string> => {
    const bucket = `faxes-${buckets++}`
    const client = new S3Client({ region: 'us-east-1', endpoint: swift.endpoint, forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    client.destroy()
    return bucket
  }

  describeStorage('s3', async () => createS3Storage(place(swift.endpoint, { bucket: await makeBucket() })))

  describeStorage('encrypted s3', async () => {
    const database = await newDatabase()
    const s3 = createS3Storage(place(swift.endpoint, { bucket: await makeBucket() }))
    return encryptStorage(s3, keysOf(database))
  })

  it('holds nothing of an encrypted document on its disk', async () => {
    const document = Buffer.from('%PDF-1.4 Katharina Müller, born 1961-09-07')
    const s3 = createS3Storage(place(swift.endpoint, { bucket: await makeBucket() }))
    await s3.put('faxes/aa/plain', document)
    expect(await filesWith(swift.disk, 'Katharina')).toBe(1)
    await s3.remove('faxes/aa/plain')
    const before = await filesWith(swift.disk, 'Katharina')
    const storage = encryptStorage(s3, keysOf(await newDatabase()))
    await storage.put('faxes/aa/encrypted', document)
    expect(await filesWith(swift.disk, 'Katharina')).toBe(before)
    expect(await storage.get('faxes/aa/encrypted')).toEqual(document)
  })

  it('takes the documents of an earlier gateway that is imported', async () => {
    const { folder, directory } = oldInstallation()
    const bucket = await makeBucket()
    const env = { STORAGE_BACKEND: 's3', S3_BUCKET: bucket, S3_REGION: 'us-east-1', S3_ENDPOINT_URL: swift.endpoint }
    const plan = await planImport(folder, { now: new Date() })
    const request = { plan, directory, env, now: () => new Date(), onProgress: () => undefined }
    expect(await importInstallation(request)).toMatchObject({ jobs: 3, documents: 3 })
    const storage = createS3Storage(place(swift.endpoint, { bucket, prefix: 'inbound/' }))
    expect(await keysIn(storage, 'faxes')).toHaveLength(2)
    const { client } = await startGateway({ directory, env })
    const document = await client.getJobPdf({ params: { id: id('a') } })
    expect(Buffer.from(await document.arrayBuffer())).toEqual(pdf('sent'))
  })

  it('says that a bucket does not exist', async () => {
    const storage = createS3Storage(place(swift.endpoint, { bucket: 'nowhere' }))
    await expect(storage.probe()).rejects.toMatchObject({
      code: 'unreachable',
      message: 'There is no S3 bucket "nowhere". Create it, or correct S3_BUCKET.',
    })
  })

  it('says that the credentials are refused', async () => {
    const storage = createS3Storage(place(swift.endpoint, { bucket: await makeBucket() }))
    useCredentials(swift.accessKeyId, 'wrong')
    onTestFinished(() => useCredentials(swift.accessKeyId, swift.secretAccessKey))
    await expect(storage.probe()).rejects.toMatchObject({ code: 'unreachable', message: /refuses the credentials/ })
  })

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('is used also with a clock an hour %s: the signature goes by the clock of the server', async (_way, ms) => {
    const storage = createS3Storage(place(swift.endpoint, { bucket: await makeBucket() }))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
    onTestFinished(() => void vi.useRealTimers())
    await storage.probe()
    await storage.put('first', Buffer.from('at another time'))
    expect((await storage.get('first')).toString()).toBe('at another time')
  })

  it('is given up when it accepts connections and answers none, and is used again when it does', async () => {
    const here = place(swift.endpoint, { bucket: await makeBucket() })
    const [storage, patientStorage] = [createS3Storage(here, 300), createS3Storage(here)]
    await patientStorage.put('first', Buffer.from('before'))
    swift.stall()
    onTestFinished(swift.goOn)
    const large = Buffer.alloc(8_000_000, 'x')
    const calls = [
      storage.put('second', Buffer.from('small')),
      // More than what the system itself takes of a connection.
      storage.put('third', large),
      storage.get('first'),
      storage.open('first'),
      storage.exists('first'),
      storage.remove('first'),
      storage.list('faxes')[Symbol.asyncIterator]().next(),
      storage.probe(),
    ]
    const outcomes = await Promise.allSettled(calls)
    const message = expect.stringMatching(/^S3 does not answer at 127/) as unknown
    expect(outcomes).toMatchObject(calls.map(() => ({ status: 'rejected', reason: { code: 'unreachable', message } })))
    swift.goOn()
    await patientStorage.put('third', large)
    expect((await patientStorage.get('third')).length).toBe(large.length)
  })

  it('knows its bucket by the marker in it, and puts nothing into another', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-storage-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    await writeMigrated(join(directory, 'faxdeck.db'))
    const database = await connect(`sqlite:${directory}/faxdeck.db`)
    onTestFinished(() => database.close())
    const events = { storageAccepted: async () => undefined }
    const [ours, another] = [await makeBucket(), await makeBucket()]
    const open = (s3_bucket: string) =>
      createSelectedStorage(
        createLocalStorage(join(directory, 'documents')),
        () => ({
          storage_backend: 's3',
          s3_bucket,
          s3_region: null,
          s3_prefix: 'clinic/',
          s3_endpoint_url: swift.endpoint,
          s3_kms_key_id: null,
        }),
        (each, exists) => createIdentity({ place: each, exists, database, events }),
      )
    await open(ours).put('faxes/aa/1', Buffer.from('%PDF-1.4'))
    const displaced = { name: 'StorageProblem', code: 'displaced' }
    await expect(open(another).put('faxes/aa/2', Buffer.from('%PDF-1.4'))).rejects.toMatchObject(displaced)
    await expect(open(another).get('faxes/aa/1')).rejects.toMatchObject(displaced)
    expect(await keysIn(createS3Storage(place(swift.endpoint, { bucket: another })), 'faxes')).toEqual([])
    expect((await open(ours).get('faxes/aa/1')).toString()).toBe('%PDF-1.4')
  })

  it('is left and returned to without losing sight of a document', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-storage-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    let backend: 'local' | 's3' = 'local'
    const s3_bucket = await makeBucket()
    const storage = createSelectedStorage(createLocalStorage(directory), () => ({
      storage_backend: backend,
      s3_bucket,
      s3_region: null,
      s3_prefix: 'clinic/',
      s3_endpoint_url: swift.endpoint,
      s3_kms_key_id: null,
    }))
    await storage.put('first', Buffer.from('on disk'))
    backend = 's3'
    expect(storage.kind).toBe('s3')
    await storage.put('second', Buffer.from('in the bucket'))
    expect((await storage.get('first')).toString()).toBe('on disk')
    backend = 'local'
    expect((await storage.get('second')).toString()).toBe('in the bucket')
    expect(await storage.exists('second')).toBe(true)
    await storage.remove('second')
    expect(await storage.exists('second')).toBe(false)
    await expect(storage.get('third')).rejects.toMatchObject({ code: 'missing' })
  })
})

describe('requests to S3', () => {
  it('ask for sealing with the KMS key that is named', async () => {
    const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
    const server = createServer((request, response) => {
      seen.push({ url: request.url, headers: request.headers })
      request.resume().on('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    useCredentials('id', 'secret')
    await createS3Storage(place(`http://127.0.0.1:${port}`, { kmsKeyId: 'key-1' })).put('a/b', Buffer.from('x'))
    expect(seen[0]?.url).toContain('/faxes/clinic/a/b')
    expect(seen[0]?.headers).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
    })
  })

  it('end when an answer breaks off without an end, also for who reads it as it comes', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('the beginning')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    useCredentials('id', 'secret')
    const port = typeof address === 'object' && address ? address.port : 0
    const storage = createS3Storage(place(`http://127.0.0.1:${port}`), 200)
    await expect(storage.get('a')).rejects.toMatchObject({ code: 'unreachable' })
    const { content } = await storage.open('a')
    await expect(buffer(content)).rejects.toThrow()
  })

  it('end in a sentence when nobody answers', async () => {
    useCredentials('id', 'secret')
    await expect(createS3Storage(place('http://127.0.0.1:9')).get('a')).rejects.toMatchObject({
      name: 'StorageProblem',
      code: 'unreachable',
    })
  })

  it('are not made without a bucket', async () => {
    const storage = createSelectedStorage(createLocalStorage('/nowhere'), () => ({
      storage_backend: 's3',
      s3_bucket: null,
      s3_region: null,
      s3_prefix: '',
      s3_endpoint_url: null,
      s3_kms_key_id: null,
    }))
    await expect(storage.put('a', Buffer.from('x'))).rejects.toMatchObject({ message: /no bucket is set/ })
  })
})
