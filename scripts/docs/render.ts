import { Marked, type Tokens } from 'marked'

/** A heading of a page, as it is linked to. */
export interface Section {
  /** Part of the address after `#`. */
  slug: string
  title: string
  depth: number
  /** What stands under it as plain text, for the search. */
  text: string
}

export interface RenderedPage {
  title: string
  html: string
  sections: Section[]
}

/** Turns a link of a Markdown file, relative to that file, into an address of the site; undefined when it leads nowhere. */
export type LinkRule = (href: string) => string | undefined

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (each) => entities[each] ?? each)

/** The name under which GitHub links to a heading, so that a link holds there and here. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** What a code block begins with: its language, and the name of its tab where it stands beside others. */
export function fenceOf(info = ''): { language: string; tab?: string } {
  const [language = '', ...rest] = info.split(' ')
  const tab = rest.join(' ').replace(/(^| )no-run:.*/, '')
  return { language, ...(tab === '' ? {} : { tab }) }
}

function wordsOf(token: { type: string; text?: string; tokens?: unknown[] }): string {
  if (token.type === 'table') {
    const { header, rows } = token as unknown as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(wordsOfCell)).join(' ')
  }
  if (token.type === 'list') return (token as unknown as Tokens.List).items.map(wordsOf).join(' ')
  if (token.type === 'image') return ''
  const inner = token.tokens as (typeof token)[] | undefined
  return inner ? inner.map(wordsOf).join('') : (token.text ?? '')
}

const wordsOfCell = (cell: Tokens.TableCell) => cell.tokens.map(wordsOf).join('')

function sectionsOf(tokens: readonly { type: string }[]): Section[] {
  const sections: Section[] = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading
      const title = wordsOf(token)
      sections.push({ slug: slugOf(title), title, depth, text: '' })
    } else {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${wordsOf(token)}`.trim()
    }
  }
  return sections
}

function code({ text, lang }: Tokens.Code): string {
  const { tab } = fenceOf(lang)
  const block = `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>`
  return tab ? `<section data-tab="${escapeHtml(tab)}"><p class="tab">${escapeHtml(tab)}</p>${block}</section>` : block
}

/** Code blocks with tabs that follow each other are one group. */
const groupTabs = (html: string) =>
  html.replace(/(?:<section data-tab=[\s\S]*?<\/section>)+/g, (blocks) => `<div class="tabs">${blocks}</div>`)

/** Markdown as HTML: headings can be linked to, links lead to pages of the site, wide tables scroll by themselves. */
export function renderPage(markdown: string, link: LinkRule): RenderedPage {
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading(token) {
        const slug = slugOf(wordsOf(token))
        const inner = this.parser.parseInline(token.tokens)
        return `<h${token.depth} id="${slug}">${inner}${token.depth > 1 ? permalink(slug) : ''}</h${token.depth}>\n`
      },
      link(token) {
        const words = this.parser.parseInline(token.tokens)
        const href = link(token.href)
        return href === undefined ? words : `<a href="${escapeHtml(href)}">${words}</a>`
      },
      image(token) {
        return `<img src="${escapeHtml(link(token.href) ?? '')}" alt="${escapeHtml(token.text)}" loading="lazy">`
      },
      code,
      // The files are ours, yet nothing of them is taken for HTML.
      html: ({ text }) => escapeHtml(text),
    },
  })
  const tokens = marked.lexer(markdown)
  const sections = sectionsOf(tokens)
  const html = groupTabs(marked.parser(tokens)).replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
  return {
    title: sections[0]?.title ?? 'Faxdeck',
    html: html.replaceAll('</table>', '</table></div>'),
    sections,
  }
}

const permalink = (slug: string) => ` <a class="permalink" href="#${slug}" aria-label="Link to this section">#</a>`
