import { type Chapter, linkTo, type Page, type Site, wayTo } from './pages.ts'
import { escapeHtml, type Section } from './render.ts'

const item = (from: Page, { path, name }: Page) =>
  `<li><a href="${linkTo(from.path, path)}"${path === from.path ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`

const list = (from: Page, { title, pages }: Chapter) =>
  `<h2>${escapeHtml(title)}</h2><ul>${pages.map((each) => item(from, each)).join('')}</ul>`

/** On the page of a call, the calls beside it come first. */
function chaptersFor(page: Page, { chapters, calls }: Site): Chapter[] {
  const beside = calls.filter(({ pages }) => pages.includes(page))
  return [...beside.map(({ title, pages }) => ({ title: `Calls: ${title}`, pages })), ...chapters]
}

const topic = ({ slug, title }: Section) => `<li><a href="#${slug}">${escapeHtml(title)}</a></li>`

function contentsOf({ sections }: Page): string {
  const listed = sections.filter(({ depth }) => depth === 2)
  if (listed.length < 2) return ''
  return `<details class="contents" open><summary>On this page</summary><nav aria-label="On this page"><ul>${listed.map(topic).join('')}</ul></nav></details>`
}

/** A whole HTML page: it works without its script, at any width and at any address. */
export function layOut(page: Page, site: Site): string {
  const { path, title } = page
  const to = (place: string) => wayTo(path, place)
  const markdown = to(`${path === '' ? 'index' : path}.md`)
  return `<!doctype html>
<html lang="en" data-start="${to('')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Faxdeck documentation</title>
<link rel="icon" type="image/svg+xml" href="${to('../../admin-demo/favicon.svg')}">
<link rel="stylesheet" href="${to('site.css')}">
<link rel="alternate" type="text/markdown" href="${markdown}">
<script src="${to('theme.js')}"></script>
<script type="module" src="${to('page.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header>
<a class="home" href="${to('')}">Faxdeck documentation</a>
<a class="menu" href="#pages">All pages</a>
<form action="${to('search/')}" role="search">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="100" autocomplete="off">
<ul class="hits" id="hits" hidden></ul>
</form>
<button type="button" class="theme" hidden>Dark</button>
<a href="${to('../../admin-demo/')}">Console</a>
</header>
<div class="body">
<nav id="pages" aria-label="Pages">${chaptersFor(page, site)
    .map((each) => list(page, each))
    .join('')}</nav>
<main id="content" tabindex="-1">
${page.html}
<p class="for-assistants"><a href="${markdown}">This page as Markdown</a> <button type="button" class="copy" data-page="${markdown}" hidden>Copy for an assistant</button> <a href="${to('llms.txt')}">All pages for assistants</a></p>
</main>
${contentsOf(page)}
</div>
</body>
</html>
`
}
