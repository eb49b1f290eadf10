import { settingRows } from '../row.ts'

const times = { type: 'number', min: 0, max: 20 } as const
const minutes = { type: 'number', min: 1, max: 1440 } as const
const again = 'How many times to retry. Enter 0 to turn retries off.'
const pause = 'Wait before the next attempt.'

/** When a fax is tried again, by the kind of its failure. */
export const retryRows = settingRows({ group: 'retry', at: 'retry' }, [
  {
    ...times,
    key: 'retry_busy_times',
    label: 'Busy: retries',
    help: again,
    default: 3,
  },
  {
    ...minutes,
    key: 'retry_busy_minutes',
    label: 'Busy: wait (minutes)',
    help: pause,
    default: 3,
  },
  {
    ...times,
    key: 'retry_no_answer_times',
    label: 'No answer: retries',
    help: again,
    default: 2,
  },
  {
    ...minutes,
    key: 'retry_no_answer_minutes',
    label: 'No answer: wait (minutes)',
    help: pause,
    default: 5,
  },
  {
    ...times,
    key: 'retry_line_error_times',
    label: 'Line error: retries',
    help: again,
    default: 2,
  },
  {
    ...minutes,
    key: 'retry_line_error_minutes',
    label: 'Line error: wait (minutes)',
    help: pause,
    default: 2,
  },
  {
    type: 'number',
    key: 'retry_unreachable_first_seconds',
    label: 'Provider unreachable: first wait (seconds)',
    help: 'Doubles with each attempt.',
    default: 30,
    min: 1,
    max: 3600,
  },
  {
    type: 'number',
    key: 'retry_unreachable_longest_seconds',
    label: 'Provider unreachable: longest wait (seconds)',
    help: 'The wait never exceeds this.',
    default: 3600,
    min: 1,
    max: 86_400,
  },
  {
    type: 'number',
    key: 'retry_unreachable_hours',
    label: 'Provider unreachable: give up after (hours)',
    help: 'Counted from submission.',
    default: 24,
    min: 0,
    max: 720,
  },
  {
    type: 'number',
    key: 'pause_after_failures',
    label: 'Provider unreachable: pause after consecutive failures',
    help: 'After this many consecutive failures to reach a provider, new faxes wait until it responds. Enter 0 to turn this off.',
    default: 5,
    min: 0,
    max: 100,
  },
  {
    type: 'number',
    key: 'pause_first_seconds',
    label: 'Provider unreachable: first recheck after (seconds)',
    help: 'How long to wait before one fax checks whether the provider responds again. Doubles up to 10 minutes.',
    default: 30,
    min: 1,
    max: 600,
  },
])
