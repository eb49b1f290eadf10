import { spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * Begins to get the Asterisk that faxes are tried with, unless only other tests are wanted. It says so when it cannot
 * be had. Tests that need it wait for it (`e2e/telephony/wait-for-asterisk.ts`).
 * @param {string} root of the repository
 * @param {string} node the Node that Faxdeck runs on
 * @param {readonly string[]} wanted what vitest is asked for
 * @returns {Record<string, string>} the environment by which tests know that it is on its way
 */
export function beginToInstallAsterisk(root, node, wanted) {
  const named = wanted.filter((argument) => !argument.startsWith('-'))
  if (named.length > 0 && !named.some((name) => name.includes('e2e'))) return {}
  const { pid } = spawn(node, [join(root, 'e2e/telephony/run.ts'), 'install'], { cwd: root, stdio: 'inherit' })
  return { FAXDECK_ASTERISK_INSTALLER: String(pid) }
}
