import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { encryptStorage } from '../../base/encryption/encrypt-storage.ts'
import { keysOf } from '../../base/encryption/testing/keys-of.ts'
import { createS3Storage } from '../../base/storage/s3.ts'
import { findSwift, startSwift, type SwiftServer } from '../../base/storage/testing/swift.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { openExport } from './testing/open-export.ts'
import { addReceived } from '../../inbox/inbound/testing/received-fax.ts'

const number = '+15555550177'

describe.skipIf(!findSwift())('the records of a number whose documents lie encrypted on a real S3 server', () => {
  let swift: SwiftServer
  let buckets = 0

  beforeAll(async () => {
    swift = await startSwift()
    vi.stubEnv('AWS_ACCESS_KEY_ID', swift.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', swift.secretAccessKey)
  }, 120_000)
  afterAll(() => {
    swift.stop()
    vi.unstubAllEnvs()
  })

  onSqliteFirst((open) => {
    it('come opened, each document as it was handed in', async () => {
      const database = await open()
      const bucket = `records-${buckets++}`
      const client = new S3Client({ region: 'us-east-1', endpoint: swift.endpoint, forcePathStyle: true })
      await client.send(new CreateBucketCommand({ Bucket: bucket }))
      client.destroy()
      const s3 = { bucket, region: 'us-east-1', prefix: '', endpoint: swift.endpoint, kmsKeyId: null }
      const { context, submit } = await faxDesk(database, makeLine())
      context.storage = encryptStorage(createS3Storage(s3), keysOf(database))
      const { id } = await submit({ to_number: number })
      const received = await addReceived(context, { from_number: number })
      await submit({ to_number: '+15555550178' })
      const { manifest, names, text } = await openExport(context, 'number', number)
      expect(manifest.counts).toMatchObject({ sent: 1, received: 1, documents: 2 })
      const documentOf = (fax: string) =>
        text(names.find((name) => name.includes(fax) && !name.endsWith('.json')) ?? '')
      expect(documentOf(id)).toBe('Dear colleague,\nplease find the results below.\n')
      expect(documentOf(received)).toBe(`%PDF-1.4 received ${received}`)
    })
  })
})
