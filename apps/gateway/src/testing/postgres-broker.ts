import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for a database of its own. */
    postgresBroker: string
  }
}

const program = fileURLToPath(new URL('postgres-process.ts', import.meta.url))

/**
 * Runs before the test files, in the process that starts them, and answers what runs after them. PostgreSQL's
 * keeper is a process of its own, which ends also when the test runner is killed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(broker, 'close')
  const address = await createInterface(broker.stdout)[Symbol.asyncIterator]().next()
  if (address.done) throw new Error('The process for PostgreSQL ended before it could be asked.')
  project.provide('postgresBroker', address.value)
  return async () => {
    broker.stdin.end()
    await ended
  }
}
