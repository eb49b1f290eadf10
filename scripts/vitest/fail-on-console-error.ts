import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

// A test that means to provoke console.error replaces it with vi.spyOn, and so is not recorded here.
const report = console.error
let unexpected: string[] = []

console.error = (...parts: unknown[]) => {
  unexpected.push(format(...parts))
  report(...parts)
}

function failOnUnexpected(): void {
  const messages = unexpected
  unexpected = []
  if (messages.length > 0) throw new Error(`console.error was called: ${messages.join('\n')}`)
}

afterEach(failOnUnexpected)
afterAll(() => {
  // Files that share a process share the console: the next one begins with the real one.
  console.error = report
  failOnUnexpected()
})
