import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'

const shape = /^(\d+)\.(\d+)\.(\d+)$/
/** The client libraries follow the API and are released on their own: they keep their version. */
const ofTheirOwn = ['packages/sdk-node']

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

/** @param {string} root @returns {string[]} folders of the packages that carry the product's version */
function packagesOf(root) {
  const folders = ['packages', 'apps'].flatMap((room) => readdirSync(join(root, room)).map((name) => `${room}/${name}`))
  return folders.filter((folder) => !ofTheirOwn.includes(folder))
}

/**
 * Gives the product its next version: in every manifest, in what the packages ask of each other, and in the lock file.
 * @param {string} root of the repository
 * @param {string} next
 * @returns {string[]} the files that were written, relative to `root`
 */
export function writeVersion(root, next) {
  const folders = packagesOf(root)
  const names = new Set(folders.map((folder) => readJson(join(root, folder, 'package.json')).name))
  const pin = (entry) => {
    for (const kind of ['dependencies', 'devDependencies']) {
      for (const name of Object.keys(entry[kind] ?? {})) if (names.has(name)) entry[kind][name] = next
    }
  }
  const manifests = ['', ...folders, ...ofTheirOwn].map((folder) => join(folder, 'package.json'))
  for (const file of manifests) {
    const manifest = readJson(join(root, file))
    if (!ofTheirOwn.some((folder) => file.startsWith(folder))) manifest.version = next
    pin(manifest)
    writeJson(join(root, file), manifest)
  }
  const lock = readJson(join(root, 'package-lock.json'))
  lock.version = next
  for (const folder of ['', ...folders]) lock.packages[folder].version = next
  for (const folder of ['', ...folders, ...ofTheirOwn]) pin(lock.packages[folder])
  writeJson(join(root, 'package-lock.json'), lock)
  return [...manifests, 'package-lock.json']
}

/** @param {string} root @returns {string} the product's version */
export const currentVersion = (root) => readJson(join(root, 'package.json')).version
