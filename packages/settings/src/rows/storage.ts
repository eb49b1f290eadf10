import { checkUrl } from '../checks.ts'
import { settingRows } from '../row.ts'

const s3 = { group: 'storage', onlyWhen: { key: 'storage_backend', is: 's3' } } as const

/** Where documents are kept. */
export const storageRows = settingRows([
  {
    type: 'choice',
    key: 'storage_backend',
    env: 'STORAGE_BACKEND',
    at: 'storage.backend',
    group: 'storage',
    label: 'Storage',
    help: 'Documents stay where they were stored; a change counts for new ones.',
    default: 'local',
    choices: [
      { value: 'local', label: 'Local disk' },
      { value: 's3', label: 'S3' },
    ],
  },
  {
    ...s3,
    type: 'text',
    key: 's3_bucket',
    plugin: { id: 's3', field: 'bucket' },
    env: 'S3_BUCKET',
    at: 'storage.s3_bucket',
    label: 'S3 bucket',
    help: 'Credentials come from the environment or the role of the machine.',
    default: null,
  },
  {
    ...s3,
    type: 'text',
    key: 's3_region',
    plugin: { id: 's3', field: 'region' },
    env: 'S3_REGION',
    at: 'storage.s3_region',
    label: 'S3 region',
    help: 'For example us-east-1.',
    default: null,
  },
  {
    ...s3,
    type: 'text',
    key: 's3_prefix',
    plugin: { id: 's3', field: 'prefix' },
    env: 'S3_PREFIX',
    at: 'storage.s3_prefix',
    label: 'S3 prefix',
    help: 'Put before the name of every object.',
    default: 'inbound/',
  },
  {
    ...s3,
    type: 'text',
    key: 's3_endpoint_url',
    plugin: { id: 's3', field: 'endpoint_url' },
    env: 'S3_ENDPOINT_URL',
    at: 'storage.s3_endpoint_url',
    label: 'S3 endpoint',
    help: 'For S3-compatible servers. Empty: Amazon.',
    default: null,
    check: checkUrl('https', 'http'),
  },
  {
    ...s3,
    type: 'secret',
    key: 's3_kms_key_id',
    plugin: { id: 's3', field: 'kms_key_id' },
    env: 'S3_KMS_KEY_ID',
    at: 'storage.s3_kms_key_id',
    facts: { 'storage.s3_kms_enabled': (value) => value !== null },
    label: 'S3 KMS key',
    help: 'Encrypts objects with this key. Required for HIPAA.',
    default: null,
  },
])
