import { writeFileSync } from 'node:fs'

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed files that could not be loaded and errors outside of any test count as failed
 * @property {number} skipped
 * @property {string[]} failedFiles paths of the test files in which something failed
 * @property {string[]} failedTests their names
 * @property {boolean} whole false when something failed that belongs to no file
 */

/**
 * The last line of a test run.
 * @param {Pick<Tally, 'passed' | 'failed' | 'skipped'>} counts
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

// A test that is still pending at the end was cut off by whatever ended the run.
const countedAs = (test) => {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}

/** A vitest reporter that ends a run with one line of counts. It stands last among the reporters. */
export class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    const failedTests = []
    const failedFiles = new Set()
    for (const module of modules) {
      const failedBefore = counts.failed
      for (const test of module.children.allTests()) {
        const state = countedAs(test)
        counts[state] += 1
        if (state === 'failed') failedTests.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
      if (counts.failed > failedBefore) failedFiles.add(module.relativeModuleId)
    }
    /** @type {Tally} */
    const tally = { ...counts, failedFiles: [...failedFiles], failedTests, whole: unhandledErrors.length === 0 }
    if (process.env.FAXDECK_TALLY) writeFileSync(process.env.FAXDECK_TALLY, JSON.stringify(tally))
    console.log(closingLine(counts))
  }
}
