import { docsPath } from '../../base/http/base-path.ts'
import { addressOf, type Chapter, type Hit } from './library.ts'
import { escapeHtml } from './render.ts'

/** What a page of the site is made of; `content` is HTML, everything else is text. */
interface Layout {
  title: string
  content: string
  chapters: readonly Chapter[]
  /** The path of this page, to mark it. */
  path?: string
  /** What is searched for. */
  words?: string
}

const link = (path: string, title: string, current: boolean) =>
  `<li><a href="${addressOf(path)}"${current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`

const chapter = ({ title, entries }: Chapter, current: string | undefined) =>
  `<h2>${escapeHtml(title)}</h2><ul>${entries.map((each) => link(each.path, each.title, each.path === current)).join('')}</ul>`

/** A whole HTML page: no script, works at any width, follows the theme of the system. */
export function layOut({ title, content, chapters, path, words = '' }: Layout): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Faxdeck documentation</title>
<link rel="icon" type="image/svg+xml" href="/admin-demo/favicon.svg">
<link rel="stylesheet" href="${docsPath}/docs.css">
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header>
<a class="home" href="${docsPath}/">Faxdeck documentation</a>
<form action="${docsPath}/search" role="search">
<input type="search" name="q" value="${escapeHtml(words)}" aria-label="Search the documentation" placeholder="Search" maxlength="100">
<button>Search</button>
</form>
<a href="/admin-demo/">Console</a>
</header>
<div class="body">
<nav aria-label="Pages">${chapters.map((each) => chapter(each, path)).join('')}</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`
}

const excerptLength = 180

/** The start of a section, or the part of it around the first word that was found. */
function excerptOf({ section }: Hit, words: string): string {
  const first = words
    .toLowerCase()
    .split(/\s+/)
    .find((word) => word !== '' && section.text.toLowerCase().includes(word))
  const at = first === undefined ? 0 : section.text.toLowerCase().indexOf(first)
  const from = Math.max(0, at - excerptLength / 3)
  const part = section.text.slice(from, from + excerptLength)
  return `${from > 0 ? '… ' : ''}${part}${from + excerptLength < section.text.length ? ' …' : ''}`
}

/** The content of the page of search results. */
export function resultsOf(words: string, hits: readonly Hit[]): string {
  if (words.trim() === '')
    return '<h1>Search</h1><p>Type a word, for example the name of a setting or something you see on a screen.</p>'
  const items = hits.map((hit) => {
    const title = hit.section.title === hit.page ? hit.page : `${hit.page}: ${hit.section.title}`
    return `<li><a href="${hit.href}">${escapeHtml(title)}</a><p>${escapeHtml(excerptOf(hit, words))}</p></li>`
  })
  if (items.length === 0) {
    return `<h1>Nothing found</h1><p>No page contains all of “${escapeHtml(words)}”. Try fewer words, or different ones.</p>`
  }
  return `<h1>Results for “${escapeHtml(words)}”</h1><ol class="hits">${items.join('')}</ol>`
}
