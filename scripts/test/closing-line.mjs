/**
 * The last line of a test run. Files that could not be loaded and errors outside of any test count as failed.
 * @param {{ passed: number, failed: number, skipped: number }} counts
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
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[countedAs(test)] += 1
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    }
    console.log(closingLine(counts))
  }
}
