import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again and again until there is an answer.
 * @param what what is waited for, as it reads after "Waited in vain for"
 * @throws {Error} after `seconds` without an answer
 */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined>, seconds = 120): Promise<T> {
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await sleep(100)
  }
  throw new Error(`Waited in vain for ${what}, ${seconds} s.`)
}

/**
 * Waits until nothing is left, for as long as it becomes less: a machine with other work to do is slow, what is stuck
 * stays as much.
 * @param what what is waited for, as it reads after "Waited in vain for"
 * @param left how much is left
 * @throws {Error} when for `seconds` it became no less
 */
export async function waitForNone(what: string, left: () => Promise<number>, seconds: number): Promise<void> {
  let [least, since] = [Number.POSITIVE_INFINITY, performance.now()]
  for (;;) {
    const now = await left()
    if (now === 0) return
    if (now < least) [least, since] = [now, performance.now()]
    if (performance.now() - since > seconds * 1000)
      throw new Error(`Waited in vain for ${what}: for ${seconds} s ${least} were left.`)
    await sleep(100)
  }
}
