import { describe, expect, it } from 'vitest'
import { closingLine, exitCodeOf } from './tally.mjs'

describe('the closing line', () => {
  it('names passed and failed tests', () => {
    expect(closingLine({ passed: 12, failed: 1, skipped: 0 })).toBe('12 passed, 1 failed')
  })

  it('adds the skipped ones when there are any', () => {
    expect(closingLine({ passed: 12, failed: 0, skipped: 3 })).toBe('12 passed, 0 failed, 3 skipped')
  })
})

describe('the exit code of a test run', () => {
  const clean = { passed: 5, failed: 0, skipped: 2 }

  it('is 0 when tests ran and none failed', () => {
    expect(exitCodeOf(clean, 0)).toBe(0)
  })

  it('is 1 when a test failed, whatever the runner says', () => {
    expect(exitCodeOf({ ...clean, failed: 1 }, 0)).toBe(1)
  })

  it('is 1 when no test ran', () => {
    expect(exitCodeOf({ passed: 0, failed: 0, skipped: 9 }, 0)).toBe(1)
  })

  it('keeps the code of a runner that ended badly', () => {
    expect(exitCodeOf(clean, 137)).toBe(137)
  })
})
