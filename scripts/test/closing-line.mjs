// A test that is still pending at the end was cut off by whatever ended the run.
const countedAs = ({ state }) => (state === 'pending' ? 'failed' : state)

/** A Vitest reporter that ends a run with one line of counts. It stands last among the reporters. */
export class ClosingLineReporter {
  /** Files that could not be loaded, and errors outside of any test, count as failed. */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[countedAs(test.result())] += 1
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    }
    const { passed, failed, skipped } = counts
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
}
