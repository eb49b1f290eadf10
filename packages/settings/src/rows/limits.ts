import { settingRows } from '../row.ts'

const perMinute = { type: 'number', group: 'limits', min: 0, max: 100_000 } as const
const fixedMinutes = { type: 'number', group: 'limits', default: 60, min: 60, max: 60, fixed: true } as const

/** How much, how often, how long. */
export const limitRows = settingRows([
  {
    type: 'number',
    key: 'max_file_size_mb',
    env: 'MAX_FILE_SIZE_MB',
    at: 'limits.max_file_size_mb',
    group: 'limits',
    label: 'Largest upload (MB)',
    help: 'Larger files are refused while they arrive.',
    default: 10,
    fallback: 10,
    min: 1,
    max: 50,
  },
  {
    ...perMinute,
    key: 'max_requests_per_minute',
    env: 'MAX_REQUESTS_PER_MINUTE',
    at: 'limits.rate_limit_rpm',
    label: 'Fax calls per minute',
    help: 'Sending and reading faxes, per key. Enter 0 for no limit.',
    default: 60,
    fallback: 0,
  },
  {
    ...perMinute,
    key: 'inbound_list_rpm',
    env: 'INBOUND_LIST_RPM',
    at: 'limits.inbound_list_rpm',
    label: 'Inbox lists per minute',
    help: 'Per key. Enter 0 for no limit.',
    default: 30,
    fallback: 30,
  },
  {
    ...perMinute,
    key: 'inbound_get_rpm',
    env: 'INBOUND_GET_RPM',
    at: 'limits.inbound_get_rpm',
    label: 'Received faxes read per minute',
    help: 'Per key. Enter 0 for no limit.',
    default: 60,
    fallback: 60,
  },
  {
    ...fixedMinutes,
    key: 'pdf_token_ttl_minutes',
    env: 'PDF_TOKEN_TTL_MINUTES',
    at: 'limits.pdf_token_ttl_minutes',
    label: 'Document link (minutes)',
    help: 'How long a provider may fetch a document. Fixed.',
  },
  {
    ...fixedMinutes,
    key: 'inbound_token_ttl_minutes',
    env: 'INBOUND_TOKEN_TTL_MINUTES',
    at: 'inbound.token_ttl_minutes',
    label: 'Received document link (minutes)',
    help: 'Fixed.',
  },
  {
    type: 'number',
    key: 'artifact_ttl_days',
    env: 'ARTIFACT_TTL_DAYS',
    at: 'limits.artifact_ttl_days',
    group: 'limits',
    label: 'Keep sent documents (days)',
    help: 'Sent documents are deleted after this many days; their details remain. Enter 0 to keep them.',
    default: 0,
    min: 0,
    max: 36_500,
  },
])
