import { join } from 'node:path'
import { runChild } from '../run-child.mjs'

/**
 * Gets the Asterisk that faxes are tried with, unless only other tests are wanted; says so when it cannot be had.
 * @param {string} root of the repository
 * @param {string} node the Node that Faxdeck runs on
 * @param {readonly string[]} wanted what vitest is asked for
 */
export async function installAsterisk(root, node, wanted) {
  const named = wanted.filter((argument) => !argument.startsWith('-'))
  if (named.length > 0 && !named.some((name) => name.includes('e2e'))) return
  await runChild(node, [join(root, 'e2e/telephony/run.ts'), 'install'], { cwd: root })
}
