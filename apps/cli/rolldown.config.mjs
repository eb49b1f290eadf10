import { resolve } from 'node:path'
import { ownAddresses } from '../../scripts/setup/own-addresses.mjs'

const here = import.meta.dirname
const folder = resolve(here, 'dist')

/** The command line as `faxdeck` runs it. What works on a data directory is read from the gateway's sources, seldom. */
export default {
  cwd: here,
  input: { 'command-line': 'src/command-line.ts' },
  platform: 'node',
  external: '@faxdeck/gateway/upkeep',
  plugins: [ownAddresses(folder)],
  output: { dir: folder, format: 'esm', cleanDir: true, chunkFileNames: '[name]-[hash].js' },
}
