/** Something a person can put right: the message is shown as it stands, without a stack, and the program ends with `exitCode`. */
export class Problem extends Error {
  /**
   * @param {string} message one or more full sentences: what happened, why, what to do
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * Runs a script's main function and sets the exit code from its answer or from the problem it met.
 * @param {() => Promise<number>} main answers the exit code
 */
export async function runScript(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
  }
}
