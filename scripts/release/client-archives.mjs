import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { repositoryRoot } from '../repository.mjs'
import { runNode } from '../run-child.mjs'
import { writeWheel } from './python-package.mjs'

const block = 512

/** A file as POSIX has it in an archive (ustar). The time is npm's own: an archive is the same whenever it is made. */
function tarred(path, bytes) {
  const header = Buffer.alloc(block)
  const fields = { 0: path, 100: '0000644\0', 108: '0000000\0', 116: '0000000\0', 148: ' '.repeat(8), 156: '0' }
  const size = bytes.length.toString(8).padStart(11, '0')
  const all = { ...fields, 124: `${size} `, 136: '03560116604 ', 257: 'ustar\0', 263: '00' }
  for (const [at, text] of Object.entries(all)) header.write(text, Number(at), 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return [header, bytes, Buffer.alloc((block - (bytes.length % block)) % block)]
}

/** The Node library as npm installs it: what its manifest lists, below `package/`. Needs no npm. */
function writeNodeArchive(root, target) {
  const folder = join(root, 'packages/sdk-node')
  const { name, version, files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const inside = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
  const built = inside.flatMap((file) => (file.isFile() ? [join(file.parentPath, file.name)] : []))
  const named = ['package.json', ...files.filter((file) => file !== 'dist')].map((file) => join(folder, file))
  const entries = [...named, ...built.toSorted()].flatMap((path) =>
    tarred(`package/${path.slice(folder.length + 1)}`, readFileSync(path)),
  )
  const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * block)]), { level: 9 })
  writeFileSync(join(target, `${name}-${version}.tgz`), archive)
}

/**
 * Writes the client libraries as their users install them, and the SHA-256 of each.
 * @param {string} root the repository
 * @param {string} target a folder, which is emptied before
 */
export async function writeClientArchives(root, target) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const { code } = await runNode(process.execPath, [join(root, 'packages/sdk-node/build.mjs')], { cwd: root })
  if (code !== 0) throw new Error('The Node library could not be built.')
  writeNodeArchive(root, target)
  writeWheel(root, target)
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(join(target, name)))
      .digest('hex')
  const sums = readdirSync(target)
    .toSorted()
    .map((name) => `${hash(name)}  ${name}\n`)
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
}

if (import.meta.main) await writeClientArchives(repositoryRoot, join(repositoryRoot, 'downloads'))
