import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'

const neededMajor = 24

const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)

/**
 * Ends early, before anything is installed, on a machine that can have no Node new enough.
 * @param {string} root the checkout
 * @throws {Problem}
 */
export function requirePossibleNode(root) {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const comesWithTheInstall = `node-${process.platform}-${process.arch}` in optionalDependencies
  if (!comesWithTheInstall && majorOf(process.version) < neededMajor) throw nodeMissing()
}

/**
 * The Node that runs Faxdeck: the one `npm ci` installed, else the one running now.
 * @param {string} root the checkout
 * @returns {string} path of the program
 * @throws {Problem} when neither is new enough
 */
export function findNode(root) {
  const installed = join(root, 'node_modules/.bin/node')
  if (majorOf(versionOf(installed)) >= neededMajor) return installed
  if (majorOf(process.version) >= neededMajor) return process.execPath
  throw nodeMissing()
}

function versionOf(program) {
  try {
    if (realpathSync(program) === realpathSync(process.execPath)) return process.version
  } catch {
    return '' // not installed: this platform has none
  }
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? ''
}

function nodeMissing() {
  return new Problem(
    `Faxdeck needs Node ${neededMajor} or newer and this is ${process.version}: install it from https://nodejs.org and run the command again.`,
  )
}
