import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { storageGroup } from '../../features/diagnostics/storage.ts'
import { runProbe } from '../../features/diagnostics/probe.ts'
import type { SettingsInForce } from '../settings/settings.ts'
import { createS3Storage } from './s3.ts'

const values = { s3_bucket: 'faxes', s3_kms_key_id: 'key' } as SettingsInForce

/** A server that refuses as S3 does: the XML of the API reference, "Error responses". */
async function refusing(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

const saying =
  (status: number, code: string, more = ''): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message>${more}<RequestId>1</RequestId></Error>`,
    )
  }

async function findingAt(endpoint: string, region: string | null = 'us-east-1') {
  const storage = createS3Storage({ bucket: 'faxes', region, prefix: '', endpoint, kmsKeyId: null })
  const [probe] = storageGroup(storage, values).probes
  if (!probe) throw new Error('The storage is not looked at.')
  return (await runProbe('storage', probe, { warn: () => undefined })).finding
}

function useCredentials(id = 'AKIDEXAMPLE', secret = 'secret') {
  vi.stubEnv('AWS_ACCESS_KEY_ID', id)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret)
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null/none')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null/none')
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe('S3 that keeps nothing', () => {
  it.each<[string, RequestListener, RegExp, RegExp, string | null]>([
    [
      'no such bucket',
      saying(404, 'NoSuchBucket'),
      /no S3 bucket "faxes"/,
      /Create it, or correct S3_BUCKET/,
      's3_bucket',
    ],
    [
      'an unknown access key',
      saying(403, 'InvalidAccessKeyId'),
      /does not know the access key/,
      /AWS_ACCESS_KEY_ID/,
      null,
    ],
    ['a wrong secret', saying(403, 'SignatureDoesNotMatch'), /signature is not that/, /AWS_SECRET_ACCESS_KEY/, null],
    ['no right', saying(403, 'AccessDenied'), /denies this machine access/, /GetObject, PutObject/, 's3_bucket'],
    ['a wrong clock', saying(403, 'RequestTimeTooSkewed'), /because its clock is wrong/, /NTP/, null],
    ['an expired session', saying(400, 'ExpiredToken'), /session token/, /Renew the session/, null],
    ['another region', saying(301, 'PermanentRedirect'), /in another region/, /Correct S3_REGION/, 's3_region'],
    [
      'another region that is named',
      saying(400, 'AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'),
      /in another region/,
      /Correct S3_REGION/,
      's3_region',
    ],
    [
      'a KMS key that is off',
      saying(400, 'KMS.DisabledException'),
      /cannot use the KMS key/,
      /S3_KMS_KEY_ID/,
      's3_kms_key_id',
    ],
    ['an internal error', saying(500, 'InternalError'), /internal error/, /status page/, null],
    [
      'a web page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
      /is not S3/,
      /endpoint URL/,
      's3_endpoint_url',
    ],
  ])('says so: %s', async (_what, answer, seen, hint, setting) => {
    useCredentials()
    expect(await findingAt(await refusing(answer))).toMatchObject({
      passed: false,
      severity: 'critical',
      detail: expect.stringMatching(seen) as unknown,
      sentence: expect.stringMatching(hint) as unknown,
      setting: setting ?? 'storage_backend',
    })
  })

  it('says that nobody listens', async () => {
    useCredentials()
    expect(await findingAt('http://127.0.0.1:9')).toMatchObject({
      detail: 'S3 cannot be reached at 127.0.0.1:9: nothing listens there.',
      setting: 's3_endpoint_url',
    })
  })

  it('says that the name does not exist', async () => {
    useCredentials()
    expect((await findingAt('http://s3.invalid')).detail).toMatch(/^S3 cannot be reached at s3.invalid: th/)
  })

  it('says that this machine has no credentials', async () => {
    useCredentials('', '')
    expect(await findingAt('http://127.0.0.1:9')).toMatchObject({
      detail: 'This machine has no credentials for S3.',
      sentence: expect.stringMatching(/Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/) as unknown,
    })
  })
})
