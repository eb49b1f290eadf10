import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type * as S3 from '@aws-sdk/client-s3'
import { notS3, s3Problem } from './s3-problem.ts'
import { checkKey, markerKey, type Place, StorageProblem } from './storage.ts'

export interface S3Place {
  bucket: string
  region: string | null
  /** Added to the start of every object name. */
  prefix: string
  /** For servers other than Amazon's. */
  endpoint: string | null
  /** Objects are sealed with this key of KMS. */
  kmsKeyId: string | null
}

/**
 * Milliseconds to connect, and without a byte in either direction. What answers in time but with an error is tried
 * again; what is silent is not, so that a caller learns of it within ten seconds.
 */
const patience = { connectionTimeout: 2500, socketTimeout: 5500 }
const tries = 3

interface Connection {
  client: S3.S3Client
  api: typeof S3
}

/** Loaded when S3 is used for the first time: it is large. */
async function connect({ region, endpoint }: S3Place, silenceMs: number): Promise<Connection> {
  const api = await import('@aws-sdk/client-s3')
  const client = new api.S3Client({
    region: region ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: tries,
    requestHandler: { ...patience, socketTimeout: silenceMs },
    // A server that does not know it would be silent until the body comes.
    expectContinueHeader: false,
    // Other servers than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  await giveUpOnSilence(client)
  return { client, api }
}

async function giveUpOnSilence({ config }: S3.S3Client): Promise<void> {
  const strategy = await config.retryStrategy()
  if (!('refreshRetryTokenForRetry' in strategy)) throw new Error('This version of the SDK retries in another way.')
  const retry = strategy.refreshRetryTokenForRetry.bind(strategy)
  strategy.refreshRetryTokenForRetry = async (token, failure) => {
    const error: unknown = failure.error
    if (error instanceof Error && error.name === 'TimeoutError') throw error
    return retry(token, failure)
  }
}

function createCalls(place: S3Place, silenceMs: number) {
  let connected: Promise<Connection> | undefined
  const { bucket: Bucket, kmsKeyId } = place
  const sealed = kmsKeyId === null ? {} : ({ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kmsKeyId } as const)
  const at = async <T>(key: string, act: (connection: Connection, Key: string) => Promise<T>): Promise<T> => {
    checkKey(key)
    try {
      return await act(await (connected ??= connect(place, silenceMs)), `${place.prefix}${key}`)
    } catch (error) {
      throw s3Problem(error, place, key)
    }
  }
  return {
    put: (key: string, Body: Uint8Array) =>
      at(key, async ({ client, api }, Key) => {
        await client.send(new api.PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length, ...sealed }))
      }),
    get: (key: string) =>
      at(key, async ({ client, api }, Key) => {
        const { Body, ContentLength } = await client.send(new api.GetObjectCommand({ Bucket, Key }))
        if (!(Body instanceof Readable) || ContentLength === undefined) throw notS3(place)
        return { content: Body, size: ContentLength }
      }),
    head: (key: string) =>
      at(key, async ({ client, api }, Key) => {
        await client.send(new api.HeadObjectCommand({ Bucket, Key }))
      }),
    remove: (key: string) =>
      at(key, async ({ client, api }, Key) => {
        await client.send(new api.DeleteObjectCommand({ Bucket, Key }))
      }),
    /** One page of the names below a folder, without the prefix, and where the next begins. */
    list: (folder: string, from: string | undefined) =>
      at(folder, async ({ client, api }, Key) => {
        const page = { Bucket, Prefix: `${Key}/`, ContinuationToken: from }
        const { Contents = [], NextContinuationToken } = await client.send(new api.ListObjectsV2Command(page))
        const keys = Contents.flatMap(({ Key: name }) => (name === undefined ? [] : [name.slice(place.prefix.length)]))
        return { keys, next: NextContinuationToken }
      }),
    failure: (error: unknown, key: string) => s3Problem(error, place, key),
  }
}

const isMissing = (error: unknown) => error instanceof StorageProblem && error.code === 'missing'

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

const nameOf = ({ bucket, prefix }: S3Place) =>
  `The S3 bucket "${bucket}"${prefix === '' ? '' : ` with the prefix "${prefix}"`}`

/**
 * Documents as objects in a bucket of S3 or a server that speaks its API. Credentials are found as AWS does.
 * @param silenceMs after which a server that sends and takes no byte is given up
 */
export function createS3Storage(place: S3Place, silenceMs = patience.socketTimeout): Place {
  const { put, get, head, remove, list, failure } = createCalls(place, silenceMs)
  const storage: Place = {
    kind: 's3',
    name: nameOf(place),
    readId: () => storage.get(markerKey).then((content) => content.toString().trim(), undefinedIfMissing),
    writeId: (id) => put(markerKey, Buffer.from(`${id}\n`)),
    put,
    replace: put,
    get: async (key) => {
      const { content } = await get(key)
      try {
        return await buffer(content)
      } catch (error) {
        throw failure(error, key)
      }
    },
    open: get,
    exists: async (key) => (await head(key).then(() => true, undefinedIfMissing)) ?? false,
    remove,
    list: async function* (folder) {
      let from: string | undefined
      do {
        const { keys, next } = await list(folder, from)
        yield keys
        from = next
      } while (from !== undefined)
    },
    check: async () => undefined,
    probe: async () => {
      const key = `probe/${randomBytes(8).toString('hex')}`
      await put(key, Buffer.from(key))
      const found = await storage.get(key).catch((error: unknown) => {
        // What was put a moment ago is there, if it was S3 that took it.
        throw isMissing(error) ? notS3(place) : error
      })
      if (found.toString() !== key) throw notS3(place)
      await remove(key)
    },
  }
  return storage
}
