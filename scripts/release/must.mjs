import { Problem } from '../problem.mjs'
import { runQuietly } from '../run-child.mjs'

/**
 * Runs a program that has to succeed.
 * @param {string} what as it reads before "failed"
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Parameters<typeof runQuietly>[2]} options
 * @returns {Promise<string>} what it printed
 * @throws {Problem} with what it printed
 */
export async function must(what, command, args, options) {
  const { code, output } = await runQuietly(command, args, options)
  if (code !== 0) throw new Problem(`${what} failed:\n${output.trim()}`)
  return output
}
