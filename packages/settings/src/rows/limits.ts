import { settingRows } from '../row.ts'

const perMinute = { type: 'number', min: 0, max: 100_000 } as const
const fixedMinutes = { type: 'number', default: 60, min: 60, max: 60, fixed: true } as const

/** How much, how often, how long. */
export const limitRows = settingRows({ group: 'limits', at: 'limits' }, [
  {
    type: 'number',
    key: 'max_file_size_mb',
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
    at: 'limits.rate_limit_rpm',
    label: 'Faxes sent per minute',
    help: 'Sending, quoting and uploading, per key. Enter 0 for no limit.',
    default: 60,
    fallback: 0,
  },
  {
    ...perMinute,
    key: 'max_reads_per_minute',
    at: 'limits.read_rpm',
    label: 'Faxes read per minute',
    help: 'Status, lists and canceling, per key. Leave blank for ten times the sending limit. Enter 0 for no limit.',
  },
  {
    ...perMinute,
    key: 'inbound_list_rpm',
    label: 'Inbox lists per minute',
    help: 'Per key. Enter 0 for no limit.',
    default: 30,
    fallback: 30,
  },
  {
    ...perMinute,
    key: 'inbound_get_rpm',
    label: 'Received faxes read per minute',
    help: 'Per key. Enter 0 for no limit.',
    default: 60,
    fallback: 60,
  },
  {
    ...fixedMinutes,
    key: 'pdf_token_ttl_minutes',
    label: 'Document link (minutes)',
    help: 'How long a provider may fetch a document. Fixed.',
  },
  {
    ...fixedMinutes,
    key: 'inbound_token_ttl_minutes',
    at: 'inbound.token_ttl_minutes',
    label: 'Received document link (minutes)',
    help: 'Fixed.',
  },
  {
    type: 'number',
    key: 'artifact_ttl_days',
    label: 'Keep sent documents (days)',
    help: 'Sent documents are deleted after this many days; their details remain. Enter 0 to keep them.',
    default: 0,
    min: 0,
    max: 36_500,
  },
])
