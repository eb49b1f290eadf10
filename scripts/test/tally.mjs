import { writeFileSync } from 'node:fs'

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed tests that failed, and besides them files that could not be loaded and errors outside any test
 * @property {number} skipped
 */

/** A vitest reporter that leaves the counts of a whole run in a file, as a {@link Tally} in JSON. */
export class TallyReporter {
  /** @param {string} path */
  constructor(path) {
    this.path = path
  }

  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) tally[countedAs(test)] += 1
      tally.failed += module.errors().length
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length
    }
    writeFileSync(this.path, JSON.stringify(tally))
  }
}

// A test still pending at the end was cut off by whatever ended the run.
const countedAs = (test) => {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}

/**
 * The last line of a test run.
 * @param {Tally} tally
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * @param {Tally} tally
 * @param {number} runnerCode how vitest itself ended
 * @returns {number} 0 only when something ran and nothing failed
 */
export function exitCodeOf({ passed, failed }, runnerCode) {
  if (runnerCode !== 0) return runnerCode
  return failed === 0 && passed > 0 ? 0 : 1
}
