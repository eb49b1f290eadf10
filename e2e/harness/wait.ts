import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again and again until there is an answer.
 * @param what what is waited for, as it reads after "Waited in vain for"
 * @throws {Error} after `seconds` without an answer
 */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await sleep(100)
  }
  throw new Error(`Waited in vain for ${what}, ${seconds} s.`)
}
