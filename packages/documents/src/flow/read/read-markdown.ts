import { Marked } from 'marked'
import { DocumentProblem } from '../../base/problem.ts'
import { decodeText } from '../../text/decode.ts'
import type { Flow } from '../flow.ts'
import { readHtml } from './read-html.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it stands in HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)

/** Facts about the page that site generators keep above it, between two lines of dashes. */
const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

const markdown = new Marked({
  gfm: true,
  renderer: {
    /** Paper cannot be clicked: the address stands behind the words. */
    link({ href, tokens, text }) {
      const words = this.parser.parseInline(tokens)
      const isShown = href === text || href === `mailto:${text}` || href.startsWith('#')
      return isShown ? words : `${words} (${escapeHtml(href.replace(/^mailto:/, ''))})`
    },
  },
})

function toHtml(text: string): string {
  try {
    return markdown.parse(text, { async: false })
  } catch {
    // The parser calls itself for each list and quotation inside another.
    throw new DocumentProblem('broken', 'The Markdown is nested too deeply to be read. Print it as PDF and send that.')
  }
}

/**
 * The blocks of a Markdown file (CommonMark with tables and task lists). HTML in it is laid out as that of a page is;
 * nothing is loaded.
 * @throws {DocumentProblem} as `decodeText`; `broken` when it is nested too deeply
 */
export function readMarkdown(bytes: Uint8Array): Flow {
  const text = decodeText(bytes)
  const facts = frontMatter.exec(text)
  if (!facts) return readHtml(toHtml(text))
  const above = facts[1]?.trim() ? `<pre>${escapeHtml(facts[1])}</pre><hr>` : ''
  return readHtml(`${above}${toHtml(text.slice(facts[0].length))}`)
}
