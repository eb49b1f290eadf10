import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { runQuietly } from '../run-child.mjs'
import { hashContents } from './content-hash.mjs'
import { isStamped, writeStamp } from './stamp.mjs'

/**
 * Something that is made of the sources.
 * @typedef {object} Build
 * @property {string} what as it reads after "Building"
 * @property {string} folder it goes to
 * @property {readonly string[]} sources it is made of, files and folders
 * @property {string} cwd where its program runs
 * @property {string} program that makes it, run by Node
 * @property {readonly string[]} args
 */

const consoleBuild = {
  sources: ['apps/console', 'packages/contract', 'packages/settings', 'package-lock.json'],
  cwd: 'apps/console',
  program: 'node_modules/vite/bin/vite.js',
}
const viteArgs = (config) => ['build', '--config', config, '--logLevel', 'warn']

/** @type {Build} the console that the gateway serves */
export const servedConsole = {
  ...consoleBuild,
  what: 'the console',
  folder: 'apps/console/dist',
  args: viteArgs('vite.config.ts'),
}

/** @type {Build} the console over a gateway in memory */
export const demoConsole = {
  ...consoleBuild,
  what: 'the demo',
  folder: '.cache/demo',
  args: viteArgs('vite.demo.config.ts'),
}

/** @type {Build} the documentation as static pages */
export const servedDocs = {
  what: 'the documentation',
  folder: 'docs/dist',
  sources: [
    'docs/guides',
    'docs/reference',
    'docs/screenshots',
    'CHANGELOG.md',
    'packages/contract',
    'packages/providers/src',
    'scripts/docs',
    'scripts/reference',
    'package-lock.json',
  ],
  cwd: '.',
  program: 'scripts/docs/build.ts',
  args: [],
}

const bundle = {
  program: 'node_modules/rolldown/bin/cli.mjs',
  args: ['--config', 'rolldown.config.mjs', '--logLevel', 'warn'],
}

/** @type {Build} the gateway as one program, which starts in half the time */
export const gatewayBundle = {
  ...bundle,
  what: 'the gateway',
  folder: 'apps/gateway/dist',
  sources: ['apps/gateway', 'packages', 'package-lock.json', 'scripts/setup/own-addresses.mjs'],
  cwd: 'apps/gateway',
}

/** @type {Build} the command line, of few files: it looks at each start whether the bundle is of these very sources */
export const commandLineBundle = {
  ...bundle,
  what: 'the command line',
  folder: 'apps/cli/dist',
  sources: [
    'apps/cli',
    'packages/contract',
    'packages/mcp-tools',
    'packages/settings',
    'package-lock.json',
    'scripts/setup/own-addresses.mjs',
  ],
  cwd: 'apps/cli',
}

/** @type {Build} the client libraries, which the gateway gives to programs */
export const clientArchives = {
  what: 'the client libraries',
  folder: 'downloads',
  sources: [
    'packages/sdk-node',
    'sdk-python',
    'scripts/release/client-archives.mjs',
    'scripts/release/python-package.mjs',
  ],
  cwd: '.',
  program: 'scripts/release/client-archives.mjs',
  args: [],
}

/**
 * Whether a build is there, made of these very sources.
 * @param {string} root the checkout
 * @param {Build} build
 */
export function isBuilt(root, { folder, sources }) {
  return isStamped(join(root, folder), hashContents(root, sources))
}

/**
 * @param {string} root the checkout
 * @param {string} node the program that runs the build
 * @param {Build} build
 * @throws {Problem} with the build's own words when it fails
 */
export async function make(root, node, { what, folder, sources, cwd, program, args }) {
  console.log(`Building ${what}…`)
  const hash = hashContents(root, sources)
  const env = { ...process.env, NODE_ENV: 'production' }
  const options = { cwd: join(root, cwd), env }
  const { code, output } = await runQuietly(node, [join(root, program), ...args], options)
  if (code !== 0) throw new Problem(`${output.trim()}\n\nCould not build ${what} (see above).`)
  writeStamp(join(root, folder), hash)
}
