import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const asFile = '<script src="/early.js"></script>'

/**
 * Writes `early.js` into the page where the page names it: a file of its own would be asked for and waited for before
 * everything else. The gateway's policy lets exactly these bytes run, by their hash.
 */
export function inlineEarly(): Plugin {
  let root = ''
  return {
    name: 'faxdeck:inline-early',
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: 'pre',
      handler: async (html) => {
        if (!html.includes(asFile)) throw new Error(`The page does not hold ${asFile}.`)
        const script = await readFile(join(root, 'early.js'), 'utf8')
        return html.replace(asFile, () => `<script>\n${script}</script>`)
      },
    },
  }
}
