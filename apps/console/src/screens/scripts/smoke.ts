/** A test that says what it does, line by line, and throws when something is not as it should be. */
export type Smoke = (say: (line: string) => void) => Promise<void>

/** Something answered, but not as it should. */
export class SmokeProblem extends Error {
  override name = 'SmokeProblem'
}

/** Where every test fax goes: the number that the test line delivers. Fictional everywhere else. */
export const testNumber = '+15555550123'

export const testFile = () =>
  new File([`Faxdeck test fax\nSent by the Scripts & Tests screen at ${new Date().toISOString()}.\n`], 'smoke.txt', {
    type: 'text/plain',
  })

const everyMs = 2_000
const maxTries = 11

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, everyMs))

/** Asks every two seconds until the answer is final, about eleven times; answers the last. */
export async function askUntil<T>(ask: () => Promise<T>, isFinal: (answer: T) => boolean): Promise<T> {
  let answer = await ask()
  for (let tries = 1; tries < maxTries && !isFinal(answer); tries += 1) {
    await pause()
    answer = await ask()
  }
  return answer
}
