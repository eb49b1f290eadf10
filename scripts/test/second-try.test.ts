import { describe, expect, it } from 'vitest'
import { afterSecondTry, filesToTryAgain } from './second-try.mjs'

const tally = {
  passed: 7,
  failed: 2,
  skipped: 1,
  failedFiles: ['a.test.ts'],
  failedTests: ['a.test.ts > one', 'a.test.ts > two'],
  whole: true,
}

describe('a run in which few tests failed', () => {
  it('tries their files again', () => {
    expect(filesToTryAgain(tally)).toEqual(['a.test.ts'])
  })

  it('names them, and counts what failed again', () => {
    const second = { ...tally, passed: 4, failed: 1 }
    expect(afterSecondTry(tally, second)).toEqual([
      'Failed beside other tests, and tried again by themselves:',
      '  a.test.ts > one',
      '  a.test.ts > two',
      '8 passed, 1 failed, 1 skipped',
    ])
  })
})

describe('a run in which more went wrong', () => {
  it.each([
    ['it ended without counts', undefined],
    ['errors belong to no test', { ...tally, whole: false }],
    ['many files failed', { ...tally, failedFiles: ['a', 'b', 'c', 'd'] }],
  ])('is not tried again: %s', (_why, failed) => {
    expect(filesToTryAgain(failed)).toEqual([])
  })
})
