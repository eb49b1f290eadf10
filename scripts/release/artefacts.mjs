import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../problem.mjs'
import { runQuietly } from '../run-child.mjs'

async function must(what, command, args, options) {
  const { code, output } = await runQuietly(command, args, options)
  if (code !== 0) throw new Problem(`${what} failed:\n${output.trim()}`)
  return output
}

/** @param {string} file @returns {Promise<string>} hexadecimal */
async function sha256(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/**
 * Writes what a release consists of: the sources as they will be committed, the client library of Node, its notes, and
 * the SHA-256 of each.
 * @param {string} root of the repository; its tracked files may be changed and not yet committed
 * @param {{ version: string, notes: string }} release
 * @returns {Promise<string>} the folder, which was emptied before
 * @throws {Problem}
 */
export async function writeArtefacts(root, { version, notes }) {
  const folder = join(root, 'release', version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const here = { cwd: root }
  // A commit of the working tree that stands on no branch: HEAD where nothing was changed.
  const tree = (await must('git stash', 'git', ['stash', 'create'], here)).trim() || 'HEAD'
  const sources = `faxdeck-${version}.tar.gz`
  const archive = ['archive', '--format=tar.gz', `--prefix=faxdeck-${version}/`, `--output=${join(folder, sources)}`]
  await must('git archive', 'git', [...archive, tree], here)
  await must('npm pack', 'npm', ['pack', '--workspace=faxdeck', `--pack-destination=${folder}`], here)
  writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`)
  const sums = []
  for (const name of readdirSync(folder).toSorted()) sums.push(`${await sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return folder
}
