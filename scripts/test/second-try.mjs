import { closingLine } from './closing-line.mjs'

/** More files than these do not fail because of what runs beside them. */
const maxFiles = 3

/**
 * The files that are worth a second try by themselves: few, and nothing else failed.
 * @param {import('./closing-line.mjs').Tally | undefined} tally of the first run; undefined when it ended without one
 * @returns {string[]}
 */
export function filesToTryAgain(tally) {
  if (!tally?.whole || tally.failedFiles.length > maxFiles) return []
  return tally.failedFiles
}

/**
 * What is said after a second try: each test that failed beside others is named, whatever became of it.
 * @param {import('./closing-line.mjs').Tally} first
 * @param {import('./closing-line.mjs').Tally} second of the files that failed, each by itself
 * @returns {string[]} lines, the closing line last
 */
export function afterSecondTry(first, second) {
  const failed = second.failed
  const lines = [
    'Failed beside other tests, and tried again by themselves:',
    ...first.failedTests.map((name) => `  ${name}`),
  ]
  return [...lines, closingLine({ ...first, passed: first.passed + first.failed - failed, failed })]
}
