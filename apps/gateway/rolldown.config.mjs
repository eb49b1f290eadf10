import { resolve } from 'node:path'
import { leanMaps, libraries } from '../../scripts/setup/lean-maps.mjs'
import { ownAddresses } from '../../scripts/setup/own-addresses.mjs'

const here = import.meta.dirname
const folder = resolve(here, 'dist')

/** They find files of their own by where they lie, or are only read when a setting asks for them. */
const leftOutside = /^(better-sqlite3|piscina|pino|@embedpdf\/pdfium|libheif-js|pg|@aws-sdk\/|prom-client)/

/** The gateway as `npm start` runs it: decision 13. */
export default {
  cwd: here,
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: leftOutside,
  plugins: [ownAddresses(folder), leanMaps()],
  output: {
    dir: folder,
    format: 'esm',
    cleanDir: true,
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    // More than a quarter less to keep in memory; names stay, and the maps know the lines.
    minify: { compress: false, mangle: false, codegen: true },
    codeSplitting: { groups: [{ name: libraries, test: /node_modules/, tags: ['$initial'] }] },
  },
}
