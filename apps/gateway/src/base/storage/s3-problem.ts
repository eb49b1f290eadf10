import { reasonOf } from '@faxdeck/provider-kit'
import { StorageProblem } from './storage.ts'

interface S3Names {
  bucket: string
  endpoint: string | null
}

interface Fault {
  /** What S3 says, or is wrong with it: the beginning of a sentence is given. */
  seen: (names: S3Names) => string
  act: string
  setting?: string
}

const noAccess: Fault = {
  seen: ({ bucket }) => `S3 denies this machine access to the bucket "${bucket}".`,
  act: 'Allow its credentials GetObject, PutObject, DeleteObject and ListBucket there.',
  setting: 's3_bucket',
}
const session: Fault = {
  seen: () => 'The S3 session token of this machine is not valid, or has expired.',
  act: 'Renew the session, or remove AWS_SESSION_TOKEN.',
}
const region: Fault = {
  seen: ({ bucket }) => `The S3 bucket "${bucket}" is in another region.`,
  act: 'Correct S3_REGION, or the endpoint.',
  setting: 's3_region',
}
const clock: Fault = {
  seen: () => 'S3 refuses the requests of this machine because its clock is wrong.',
  act: 'Set the clock of this machine, and keep it set by NTP.',
}
const kms: Fault = {
  seen: () => 'S3 cannot use the KMS key that documents are to be encrypted with.',
  act: 'Correct S3_KMS_KEY_ID, and allow the credentials of this machine to use that key.',
  setting: 's3_kms_key_id',
}
const silent: Fault = {
  seen: ({ endpoint }) => `S3 does not answer${endpoint === null ? '' : ` at ${hostOf(endpoint)}`}.`,
  act: 'Check the S3 endpoint URL, and the firewalls on the way.',
  setting: 's3_endpoint_url',
}

/** By the names of the S3 API reference, "Error responses", and of the SDK. */
const faults: Readonly<Record<string, Fault>> = {
  NoSuchBucket: {
    seen: ({ bucket }) => `There is no S3 bucket "${bucket}".`,
    act: 'Create it, or correct S3_BUCKET.',
    setting: 's3_bucket',
  },
  InvalidBucketName: {
    seen: ({ bucket }) => `"${bucket}" cannot be the name of an S3 bucket.`,
    act: 'Correct S3_BUCKET.',
    setting: 's3_bucket',
  },
  CredentialsProviderError: {
    seen: () => 'This machine has no credentials for S3.',
    act: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY where Faxdeck is started, or give the machine a role.',
  },
  InvalidAccessKeyId: {
    seen: () => 'S3 does not know the access key of this machine.',
    act: 'Correct AWS_ACCESS_KEY_ID, or create a new key.',
  },
  SignatureDoesNotMatch: {
    seen: () => 'S3 refuses the credentials of this machine: the signature is not that of the access key.',
    act: 'Correct AWS_SECRET_ACCESS_KEY. If it is right, a proxy on the way changes the requests.',
  },
  AccessDenied: noAccess,
  Forbidden: noAccess,
  ExpiredToken: session,
  InvalidToken: session,
  TokenRefreshRequired: session,
  PermanentRedirect: region,
  AuthorizationHeaderMalformed: region,
  IllegalLocationConstraintException: region,
  RequestTimeTooSkewed: clock,
  RequestExpired: clock,
  TimeoutError: silent,
}

const strange: Fault = {
  seen: ({ endpoint }) => `What answers ${endpoint === null ? 'in place of S3' : `at ${hostOf(endpoint)}`} is not S3.`,
  act: 'Check the S3 endpoint URL, and whether a proxy answers in its place.',
  setting: 's3_endpoint_url',
}
const faulty: Fault = {
  seen: () => 'S3 reports an internal error.',
  act: 'Check its status page and wait.',
}

const hostOf = (endpoint: string) => URL.parse(endpoint)?.host ?? endpoint

function statusOf(error: Error): number | undefined {
  return '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode : undefined
}

function faultBy(error: Error): Fault {
  const status = statusOf(error) ?? 0
  const named = faults[error.name] ?? (/KMS/.test(error.name) ? kms : undefined)
  if (named) return named
  if (status === 301 || status === 307) return region
  if (status === 401 || status === 403) return noAccess
  if (status >= 500) return faulty
  // The SDK could not read what came.
  if (status > 0 || '$response' in error || '$responseBodyText' in error) return strange
  return {
    ...silent,
    seen: ({ endpoint }) => {
      const place = endpoint === null ? '' : ` at ${hostOf(endpoint)}`
      return `S3 cannot be reached${place}: ${reasonOf(error, new AbortController().signal)}.`
    },
  }
}

/** What the S3 server, or the way to it, answered, as a problem of the storage. @param key the document in question */
export function s3Problem(error: unknown, names: S3Names, key: string): unknown {
  if (!(error instanceof Error) || error instanceof StorageProblem) return error
  const status = statusOf(error)
  if (status === 404 && error.name !== 'NoSuchBucket') {
    return new StorageProblem('missing', `There is no stored document "${key}".`)
  }
  if (status === 507) return new StorageProblem('full', 'The S3 server is full.')
  const { seen, act, setting } = faultBy(error)
  const advice = { hint: `Documents cannot be stored in S3. ${act}`, ...(setting !== undefined && { setting }) }
  return new StorageProblem('unreachable', `${seen(names)} ${act}`, { seen: seen(names), ...advice })
}

/** A store that returns something else than was put is not S3. */
export function notS3(names: S3Names): StorageProblem {
  const { seen, act, setting = '' } = strange
  const advice = { hint: `Documents cannot be stored in S3. ${act}`, setting }
  return new StorageProblem('unreachable', `${seen(names)} ${act}`, { seen: seen(names), ...advice })
}
