import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, copyTracked } from './lay-out.mjs'

/**
 * Lays out the command line as it is installed: one bundle, without dependencies.
 * @param {string} root the repository
 * @param {{ version: string, folder: string }} target an empty folder
 */
export async function layOutCommandLine(root, { version, folder }) {
  await copyTracked(root, folder, ['apps/cli/package.json', 'LICENSE'])
  cpSync(join(root, 'packaging/command-line/README.md'), join(folder, 'README.md'))
  const manifest = JSON.parse(readFileSync(join(root, 'packaging/command-line/package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  await bundle(root, 'command-line', join(folder, 'apps/cli/dist'))
}
