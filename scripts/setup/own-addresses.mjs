import { dirname, relative, resolve } from 'node:path'
import { RolldownMagicString } from 'rolldown'

const address = /new URL\('\.\/(?<thread>[\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g

/**
 * For rolldown: what a source finds by its own address (fonts, styles, WebAssembly) stays beside the source. A thread's
 * program becomes a bundle of its own.
 * @param {string} folder that the bundle goes to
 */
export const ownAddresses = (folder) => ({
  name: 'own-addresses',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return null
    const text = new RolldownMagicString(code)
    const source = JSON.stringify(relative(folder, id).replaceAll('\\', '/'))
    for (const { index, 0: found, groups } of code.matchAll(address)) {
      const { thread } = groups
      if (thread) this.emitFile({ type: 'chunk', id: resolve(dirname(id), `${thread}.ts`), fileName: `${thread}.js` })
      const now = thread ? `new URL(import.meta.resolve('./${thread}.js'))` : `new URL(${source}, import.meta.url).href`
      text.overwrite(index, index + found.length, now)
    }
    return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
  },
})
