import type { CallReport, Lines, RememberedNumber } from '@faxdeck/contract'

export interface FakeLines {
  report: CallReport
  lines: Lines
  numbers: RememberedNumber[]
}

/** No call has gone through a switch of our own. */
export const noLines = (): FakeLines => ({
  report: {
    calls: 0,
    since: null,
    complete: 0,
    broke_off: 0,
    not_reached: 0,
    slowed: 0,
    over_t38: 0,
    over_audio: 0,
    numbers: [],
  },
  lines: { channels: [], use: [] },
  numbers: [],
})
