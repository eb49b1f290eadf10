import { dirname, relative, resolve } from 'node:path'

/**
 * For rolldown: what a source finds by its own address (fonts, styles, WebAssembly) stays beside the source. A thread's
 * program becomes a bundle of its own.
 * @param {string} folder that the bundle goes to
 */
export const ownAddresses = (folder) => ({
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
})
