import type { HtmlTagDescriptor, Plugin } from 'vite'
import { sharedName } from './bundle.ts'

const font = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true },
  injectTo: 'head-prepend',
})

const script = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'modulepreload', href, fetchpriority: 'low', crossorigin: true },
  injectTo: 'body',
})

/**
 * Asks for the text font with the page instead of after the style sheet, so that words do not change face; and last of
 * all for what other screens share, so that the first one a person goes to has only its own file to wait for.
 */
export function preload(): Plugin {
  let base = '/'
  return {
    name: 'faxdeck:preload',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.values(bundle ?? {}).flatMap((file) => {
          if (file.fileName.endsWith('.woff2')) return [font(base + file.fileName)]
          return file.type === 'chunk' && file.name === sharedName ? [script(base + file.fileName)] : []
        }),
    },
  }
}
