import { createHash } from 'node:crypto'
import { cpSync, createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { layOutCommandLine } from './command-line-package.mjs'
import { writeDebianPackage } from './debian-package.mjs'
import { layOutGateway } from './gateway-package.mjs'
import { pack } from './lay-out.mjs'
import { thirdPartyLicenses } from './licenses.mjs'
import { must } from './must.mjs'
import { writePythonSources } from './python-package.mjs'
import { clientArchives, make } from '../setup/builds.mjs'
import { findProgram } from '../find-browser.mjs'

/** @param {string} file @returns {Promise<string>} hexadecimal */
async function sha256(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** The sources as they will be committed, and the client libraries. */
async function writeSources(root, { version, folder }) {
  const here = { cwd: root }
  // A commit of the working tree that stands on no branch: HEAD where nothing was changed.
  const tree = (await must('git stash', 'git', ['stash', 'create'], here)).trim() || 'HEAD'
  const output = `--output=${join(folder, `faxdeck-source-${version}.tar.gz`)}`
  await must('git archive', 'git', ['archive', '--format=tar.gz', `--prefix=faxdeck-${version}/`, output, tree], here)
  await writePythonSources(root, { tree, target: folder })
  await make(root, process.execPath, clientArchives)
  const archives = readdirSync(join(root, clientArchives.folder)).filter((name) => name.startsWith('faxdeck-'))
  for (const name of archives) cpSync(join(root, clientArchives.folder, name), join(folder, name))
}

/** What is installed: the gateway, the command line, the Debian package, and what a container is built of. */
async function writePrograms(root, { version, folder, work, licenses }) {
  const gateway = join(work, 'gateway')
  const commandLine = join(work, 'command-line')
  for (const each of [gateway, commandLine]) {
    mkdirSync(each)
    writeFileSync(join(each, 'THIRD-PARTY-LICENSES.txt'), licenses)
  }
  await layOutGateway(root, { version, folder: gateway })
  await pack(gateway, folder)
  await layOutCommandLine(root, { version, folder: commandLine })
  await pack(commandLine, folder)
  for (const name of ['Containerfile', 'compose.yaml'])
    cpSync(join(root, 'packaging/container', name), join(folder, name))
  if (process.arch !== 'x64' || !findProgram('dpkg-deb')) {
    console.log('The Debian package is not written: that takes dpkg-deb on Linux x64.')
    return
  }
  console.log('Building the Debian package…')
  await writeDebianPackage(root, { version, gateway, work: join(work, 'debian'), target: folder })
}

/** What the release is made of, for people and for programs: licenses, and a bill of materials (CycloneDX). */
async function writeMaterials(root, { folder, licenses }) {
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses)
  const sbom = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--loglevel=silent']
  writeFileSync(join(folder, 'sbom.cdx.json'), await must('npm sbom', 'npm', sbom, { cwd: root }))
}

/**
 * Writes what a release consists of: the sources as they will be committed, the client libraries, gateway and command
 * line as they are installed, the Debian package, the container's files, licenses, bill of materials and notes, and the
 * SHA-256 of each.
 * @param {string} root of the repository; its tracked files may be changed and not yet committed
 * @param {{ version: string, notes: string }} release
 * @returns {Promise<string>} the folder, which was emptied before
 * @throws {Problem}
 */
export async function writeArtifacts(root, { version, notes }) {
  const folder = join(root, 'release', version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'faxdeck-release-'))
  const licenses = thirdPartyLicenses(root)
  try {
    await writeSources(root, { version, folder })
    await writePrograms(root, { version, folder, work, licenses })
    await writeMaterials(root, { folder, licenses })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`)
  const sums = []
  for (const name of readdirSync(folder).toSorted()) sums.push(`${await sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return folder
}
