import { setTimeout as delay } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { findSwift, startSwift } from './testing/swift.ts'

/** What a caller is promised: an answer before this many milliseconds, also from a store that gives none. */
const promisedMs = 10_000
const tooLate = 'no answer in ten seconds'

const problemIn = (call: Promise<unknown>) =>
  Promise.race([
    call.then(
      () => 'done',
      (error: unknown) => error,
    ),
    delay(promisedMs, tooLate),
  ])

// The time limit itself, in real time; that each call of the storage has one is tested in s3.test.ts.
describe.runIf(process.env.FAXDECK_LONG && findSwift())('a gateway whose S3 is stopped', () => {
  it('answers each call that needs it in ten seconds, loses nothing, and goes on when it is back', async () => {
    const swift = await startSwift()
    onTestFinished(swift.stop)
    vi.stubEnv('AWS_ACCESS_KEY_ID', swift.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', swift.secretAccessKey)
    onTestFinished(() => void vi.unstubAllEnvs())
    const admin = new S3Client({ region: 'us-east-1', endpoint: swift.endpoint, forcePathStyle: true })
    await admin.send(new CreateBucketCommand({ Bucket: 'faxes' }))
    admin.destroy()
    const { client } = await startGateway({
      env: { STORAGE_BACKEND: 's3', S3_BUCKET: 'faxes', S3_REGION: 'us-east-1', S3_ENDPOINT_URL: swift.endpoint },
    })
    const fax = () => ({ to: '+15551234567', file: new File(['Results'], 'letter.txt') })
    const first = await client.submitFax({ form: fax() })
    await expect.poll(async () => (await client.getFax({ params: { id: first.id } })).status).toBe('SUCCESS')
    swift.stall()
    onTestFinished(swift.goOn)
    const answers = await Promise.all([
      problemIn(client.submitFax({ form: fax() })),
      problemIn(client.createBroadcast({ form: { recipients: '+15555550110\n+15555550111', file: fax().file } })),
      problemIn(client.getJobPdf({ params: { id: first.id } })),
      problemIn(client.simulateInbound({ body: {} })),
    ])
    expect(answers).toMatchObject(answers.map(() => ({ status: 503, answer: { code: 'storage_unavailable' } })))
    swift.goOn()
    await client.submitFax({ form: fax() })
    const { faxes } = await client.listFaxes({ query: {} })
    expect(faxes).toHaveLength(2)
  })
})
