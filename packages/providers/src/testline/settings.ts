import { settingRows } from '@faxdeck/settings'

export const testlineSettings = settingRows({ provider: 'testline', group: 'provider', at: 'testline' }, [
  {
    type: 'number',
    key: 'testline_seconds',
    label: 'Seconds per test fax',
    help: 'How long a call on the test line takes. Enter 0 to end every call at once, for benchmarks.',
    default: 2,
    min: 0,
    max: 600,
    fraction: true,
  },
])
