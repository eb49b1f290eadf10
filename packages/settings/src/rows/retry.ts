import { settingRows } from '../row.ts'

/** How often a kind of failure is tried again, and how long after the last attempt. */
const retriesOf = <const K extends string>(kind: K, name: string, times: number, minutes: number) =>
  [
    {
      type: 'number',
      key: `retry_${kind}_times`,
      label: `${name}: retries`,
      help: 'How many times to retry. Enter 0 to turn retries off.',
      default: times,
      min: 0,
      max: 20,
    },
    {
      type: 'number',
      key: `retry_${kind}_minutes`,
      label: `${name}: wait (minutes)`,
      help: 'Wait before the next attempt.',
      default: minutes,
      min: 1,
      max: 1440,
    },
  ] as const

/** When a fax is tried again, by the kind of its failure. */
export const retryRows = settingRows({ group: 'retry', at: 'retry' }, [
  ...retriesOf('busy', 'Busy', 3, 3),
  ...retriesOf('no_answer', 'No answer', 2, 5),
  ...retriesOf('line_error', 'Line error', 2, 2),
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
