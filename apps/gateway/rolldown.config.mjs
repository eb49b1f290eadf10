import { dirname, relative, resolve } from 'node:path'

const here = import.meta.dirname
const folder = resolve(here, 'dist')

/** They find files of their own by where they lie, or are only read when a setting asks for them. */
const leftOutside = /^(better-sqlite3|piscina|pino|@hyzyla\/pdfium|pg|@aws-sdk\/|prom-client)/

/**
 * What a source finds by its own address (fonts, styles, WebAssembly) stays beside the source. A thread's program
 * becomes a bundle of its own.
 */
const ownAddresses = {
  name: 'own-addresses',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return null
    const threads = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g
    const withThreads = code.replace(threads, (_, name) => {
      this.emitFile({ type: 'chunk', id: resolve(dirname(id), `${name}.ts`), fileName: `${name}.js` })
      return `new URL(import.meta.resolve('./${name}.js'))`
    })
    const source = JSON.stringify(relative(folder, id).replaceAll('\\', '/'))
    return withThreads.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`)
  },
}

/** The gateway as `npm start` runs it: decision 13. */
export default {
  cwd: here,
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: leftOutside,
  plugins: [ownAddresses],
  output: { dir: folder, format: 'esm', cleanDir: true, chunkFileNames: '[name]-[hash].js' },
}
