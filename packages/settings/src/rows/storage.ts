import { checkUrl } from '../checks.ts'
import { choicesOf, settingRows } from '../row.ts'

const s3 = { onlyWhen: { key: 'storage_backend', is: 's3' } } as const

/** Where documents are stored. */
export const storageRows = settingRows({ group: 'storage', at: 'storage' }, [
  {
    type: 'choice',
    key: 'storage_backend',
    opensAccess: true,
    label: 'Storage',
    help: 'A change applies to new documents. Existing ones stay where they are.',
    default: 'local',
    choices: choicesOf({ local: 'Local disk', s3: 'S3' }),
  },
  {
    type: 'choice',
    key: 'document_encryption',
    opensAccess: true,
    at: 'storage.encryption',
    label: 'Document encryption',
    help: 'Encrypts documents and the text of their pages. Turned on, it also encrypts what is stored already.',
    default: 'auto',
    choices: choicesOf({ auto: 'On for new installations', on: 'On', off: 'Off for new documents' }),
  },
  {
    ...s3,
    type: 'text',
    key: 's3_bucket',
    opensAccess: true,
    plugin: { id: 's3', field: 'bucket' },
    label: 'S3 bucket',
    help: 'Credentials come from the environment or the machine’s role.',
  },
  {
    ...s3,
    type: 'text',
    key: 's3_region',
    opensAccess: true,
    plugin: { id: 's3', field: 'region' },
    label: 'S3 region',
    help: 'For example us-east-1.',
  },
  {
    ...s3,
    type: 'text',
    key: 's3_prefix',
    opensAccess: true,
    plugin: { id: 's3', field: 'prefix' },
    label: 'S3 prefix',
    help: 'Added to the start of every object name.',
    default: 'inbound/',
  },
  {
    ...s3,
    type: 'text',
    key: 's3_endpoint_url',
    opensAccess: true,
    plugin: { id: 's3', field: 'endpoint_url' },
    label: 'S3 endpoint',
    help: 'For S3-compatible servers. Leave blank for Amazon S3.',
    check: checkUrl('https', 'http'),
  },
  {
    ...s3,
    type: 'secret',
    key: 's3_kms_key_id',
    plugin: { id: 's3', field: 'kms_key_id' },
    facts: { 'storage.s3_kms_enabled': (value) => value !== null },
    label: 'S3 KMS key',
    help: 'Encrypts objects with this key. Required for HIPAA.',
  },
])
