import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { checkKey, type Storage, StorageProblem } from './storage.ts'

export interface S3Place {
  bucket: string
  region: string | null
  /** Put before the name of every object. */
  prefix: string
  /** For servers other than Amazon's. */
  endpoint: string | null
  /** Objects are sealed with this key of KMS. */
  kmsKeyId: string | null
}

/** Milliseconds to connect, and without a byte. */
const patience = { connectionTimeout: 5000, requestTimeout: 30_000 }
const tries = 3

const statusOf = (error: Error) =>
  '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode : undefined

/** What the S3 server, or the way to it, answered; names are those of the S3 API reference, "Error responses". */
function problemOf(error: unknown, { bucket }: S3Place, key: string): unknown {
  if (!(error instanceof Error) || error instanceof StorageProblem) return error
  if (error.name === 'NoSuchBucket') {
    return new StorageProblem('unreachable', `There is no S3 bucket "${bucket}". Make it, or correct S3_BUCKET.`)
  }
  const status = statusOf(error)
  if (status === 404) return new StorageProblem('missing', `There is no stored document "${key}".`)
  if (status === 401 || status === 403 || error.name === 'CredentialsProviderError') {
    const sentence = `S3 refuses the credentials of this machine for the bucket "${bucket}" (${error.name}). They need GetObject, PutObject, DeleteObject and ListBucket.`
    return new StorageProblem('unreachable', sentence)
  }
  if (status === 507) return new StorageProblem('full', 'The S3 server has no room left.')
  return new StorageProblem('unreachable', `S3 could not be asked (${error.name}). Check the endpoint and the region.`)
}

/** Loaded when S3 is used for the first time: it is large. */
async function connect({ region, endpoint }: S3Place): Promise<{ client: S3Client; api: typeof import('@aws-sdk/client-s3') }> {
  const api = await import('@aws-sdk/client-s3')
  const client = new api.S3Client({
    region: region ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: tries,
    requestHandler: patience,
    // Other servers than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, api }
}

/** Documents as objects in a bucket of S3 or a server that speaks its API. Credentials are found as AWS does. */
export function createS3Storage(place: S3Place): Storage & { close: () => Promise<void> } {
  let connected: ReturnType<typeof connect> | undefined
  const { bucket: Bucket, kmsKeyId } = place
  const sealed = kmsKeyId === null ? {} : ({ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kmsKeyId } as const)
  type Connected = Awaited<ReturnType<typeof connect>>
  const at = async <T>(key: string, act: (connection: Connected, Key: string) => Promise<T>): Promise<T> => {
    checkKey(key)
    try {
      return await act(await (connected ??= connect(place)), `${place.prefix}${key}`)
    } catch (error) {
      throw problemOf(error, place, key)
    }
  }
  const put = (key: string, content: Uint8Array) =>
    at(key, async ({ client, api }, Key) => {
      await client.send(new api.PutObjectCommand({ Bucket, Key, Body: content, ContentLength: content.length, ...sealed }))
    })
  const open = (key: string) =>
    at(key, async ({ client, api }, Key) => {
      const { Body, ContentLength } = await client.send(new api.GetObjectCommand({ Bucket, Key }))
      if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error('S3 answered without a body.')
      return { content: Body as Readable, size: ContentLength, bytes: () => Body.transformToByteArray() }
    })
  const storage = {
    kind: 's3' as const,
    put,
    putFile: async (key: string, path: string) => {
      await put(key, await readFile(path))
      await rm(path)
    },
    get: (key: string) => at(key, async () => Buffer.from(await (await open(key)).bytes())),
    open,
    exists: (key: string) =>
      at(key, async ({ client, api }, Key) => {
        await client.send(new api.HeadObjectCommand({ Bucket, Key }))
        return true
      }).catch((error: unknown) => {
        if (error instanceof StorageProblem && error.code === 'missing') return false
        throw error
      }),
    remove: (key: string) =>
      at(key, async ({ client, api }, Key) => {
        await client.send(new api.DeleteObjectCommand({ Bucket, Key }))
      }),
    probe: async () => {
      const key = `probe/${randomBytes(8).toString('hex')}`
      await storage.put(key, Buffer.from(key))
      const found = await storage.get(key)
      await storage.remove(key)
      if (found.toString() !== key) throw new StorageProblem('unreachable', 'S3 gave back something else than was put.')
    },
    close: async () => (await connected)?.client.destroy(),
  }
  return storage
}
