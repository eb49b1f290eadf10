import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'

const shape = /^(\d+)\.(\d+)\.(\d+)$/
/** What else says the version of the client libraries: pip and npm do not install other contents under one version. */
const named = [
  'docs/guides/developers.md',
  'packages/sdk-node/README.md',
  'sdk-python/README.md',
  'sdk-python/pyproject.toml',
  'sdk-python/faxdeck/__init__.py',
  'apps/console/src/screens/dashboard/snippets.ts',
]

/** @param {string} version @returns {number[]} major, minor, patch */
function partsOf(version) {
  const [, ...parts] = shape.exec(version) ?? []
  if (parts.length === 0) throw new Problem(`"${version}" is not a version: write three numbers, such as 1.2.0.`)
  return parts.map(Number)
}

/**
 * @param {string} current
 * @param {string} next
 * @throws {Problem} when `next` is not a semantic version (semver.org), or not one step above `current`
 */
export function assertNextVersion(current, next) {
  const [major, minor, patch] = partsOf(current)
  partsOf(next)
  const steps = [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`]
  if (steps.includes(next)) return
  throw new Problem(
    `After ${current} comes ${steps[0]} (faults mended), ${steps[1]} (something new) or ${steps[2]} (something no longer works as before), not ${next}.`,
  )
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** @param {string} root @returns {string[]} folders of the packages */
const packagesOf = (root) =>
  ['packages', 'apps'].flatMap((room) => readdirSync(join(root, room)).map((name) => `${room}/${name}`))

/** @throws {Problem} when a file does not say `current` where it should */
function rename(root, file, current, next) {
  const text = readFileSync(join(root, file), 'utf8')
  // As the version of an archive, of a package, or of a constant.
  const said = new RegExp(String.raw`(faxdeck-|ersion(?:__)? = ["'])${RegExp.escape(current)}(?!\d)`, 'g')
  if (!said.test(text)) throw new Problem(`${file} does not say the version ${current}.`)
  writeFileSync(
    join(root, file),
    text.replace(said, (_, before) => before + next),
  )
}

/**
 * Gives the product its next version: in every manifest, in the client libraries, in what the packages ask of each other, and in the lock file.
 * @param {string} root of the repository
 * @param {string} next
 * @returns {string[]} the files that were written, relative to `root`
 */
export function writeVersion(root, next) {
  const folders = packagesOf(root)
  const current = currentVersion(root)
  const names = new Set(folders.map((folder) => readJson(join(root, folder, 'package.json')).name))
  const pin = (entry) => {
    for (const kind of ['dependencies', 'devDependencies']) {
      for (const name of Object.keys(entry[kind] ?? {})) if (names.has(name)) entry[kind][name] = next
    }
  }
  const manifests = ['', ...folders].map((folder) => join(folder, 'package.json'))
  for (const file of manifests) {
    const manifest = readJson(join(root, file))
    manifest.version = next
    pin(manifest)
    writeJson(join(root, file), manifest)
  }
  const lock = readJson(join(root, 'package-lock.json'))
  lock.version = next
  for (const folder of ['', ...folders]) lock.packages[folder].version = next
  for (const folder of ['', ...folders]) pin(lock.packages[folder])
  writeJson(join(root, 'package-lock.json'), lock)
  for (const file of named) rename(root, file, current, next)
  return [...manifests, 'package-lock.json', ...named]
}

/** @param {string} root @returns {string} the product's version */
export const currentVersion = (root) => readJson(join(root, 'package.json')).version
