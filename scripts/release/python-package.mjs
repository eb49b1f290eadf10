import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { Problem } from '../problem.mjs'
import { must } from './must.mjs'

/** Zip knows no time before 1980; a wheel is the same whenever it is made. */
const time = new Date(1980, 0, 1)

/** @param {string} toml pyproject.toml, as simple as ours @param {string} key */
function fieldOf(toml, key) {
  const value = new RegExp(`^${key} = "([^"]*)"$`, 'm').exec(toml)?.[1]
  if (value === undefined) throw new Problem(`sdk-python/pyproject.toml does not say "${key}" on a line of its own.`)
  return value
}

/** What pip reads of a package (Python's core metadata, version 2.1). */
function metadataOf(toml, readme) {
  return `Metadata-Version: 2.1
Name: ${fieldOf(toml, 'name')}
Version: ${fieldOf(toml, 'version')}
Summary: ${fieldOf(toml, 'description')}
License: MIT
Classifier: Typing :: Typed
Requires-Python: ${fieldOf(toml, 'requires-python')}
Description-Content-Type: text/markdown

${readme}`
}

const digest = (bytes) => createHash('sha256').update(bytes).digest('base64url')

/** A wheel as PEP 427 has it: the modules, and a folder that describes them. */
function wheelOf({ name, version, modules, metadata, license }) {
  const info = `${name}-${version}.dist-info`
  const files = {
    ...modules,
    [`${info}/METADATA`]: strToU8(metadata),
    [`${info}/WHEEL`]: strToU8('Wheel-Version: 1.0\nGenerator: faxdeck\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    [`${info}/LICENSE`]: license,
    [`${info}/top_level.txt`]: strToU8(`${name}\n`),
  }
  const rows = Object.entries(files).map(([path, bytes]) => `${path},sha256=${digest(bytes)},${bytes.length}\n`)
  const record = strToU8(`${rows.join('')}${info}/RECORD,,\n`)
  return zipSync({ ...files, [`${info}/RECORD`]: record }, { mtime: time, level: 9 })
}

/** What both packages say of themselves. @param {string} root the repository */
function describe(root) {
  const folder = join(root, 'sdk-python')
  const toml = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
  const metadata = metadataOf(toml, readFileSync(join(folder, 'README.md'), 'utf8'))
  return { folder, name: fieldOf(toml, 'name'), version: fieldOf(toml, 'version'), metadata }
}

/**
 * Writes the Python client as a wheel, which is a zip file: without Python, PyPI or git.
 * @param {string} root the repository
 * @param {string} target
 */
export function writeWheel(root, target) {
  const { folder, name, version, metadata } = describe(root)
  const read = (file) => new Uint8Array(readFileSync(join(folder, file)))
  const files = readdirSync(join(folder, name)).filter((file) => /\.py$|^py\.typed$/.test(file))
  const modules = Object.fromEntries(files.toSorted().map((file) => [`${name}/${file}`, read(`${name}/${file}`)]))
  const wheel = wheelOf({ name, version, modules, metadata, license: read('LICENSE') })
  writeFileSync(join(target, `${name}-${version}-py3-none-any.whl`), wheel)
}

/**
 * Writes the Python client as sources (sdist): an archive of git with the metadata added. Needs neither Python nor PyPI.
 * @param {string} root the repository
 * @param {{ tree: string, target: string }} release `tree` is the commit that the sources are taken of
 */
export async function writePythonSources(root, { tree, target }) {
  const { name, version, metadata } = describe(root)
  const prefix = `${name}-${version}/`
  const added = `--add-virtual-file=${prefix}PKG-INFO:${metadata}`
  const output = `--output=${join(target, `${name}-${version}.tar.gz`)}`
  const archive = ['archive', '--format=tar.gz', `--prefix=${prefix}`, output, added, `${tree}:sdk-python`]
  await must('git archive', 'git', archive, { cwd: root })
}
