import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { callPages } from '../reference/call-pages.mjs'
import { type LinkRule, renderPage, type RenderedPage } from './render.ts'

/** A page of the site. */
export interface Page extends RenderedPage {
  /** Below the start of the site, without slashes at its ends; empty for the first page. */
  path: string
  /** How lists of pages call it. */
  name: string
  markdown: string
}

export interface Chapter {
  title: string
  pages: Page[]
}

/** The whole documentation. */
export interface Site {
  chapters: Chapter[]
  /** Pages of single calls, by area; they are listed beside each other only. */
  calls: Chapter[]
  /** Every page, the first one among them. */
  pages: Page[]
  /** Files that pages show or link to: their place in the site, and in the checkout. */
  files: Map<string, string>
}

const contentsFile = 'docs/guides/README.md'
/** What generated files say to those who would edit them. */
const forEditors = /^Written by `npm run reference`[^.]*\. Do not edit\. ?/m
const callsFile = 'docs/reference/calls.md'
/** Folders whose pages stand under a path of their own; a README there has the name of its folder. */
const shelves = [
  { folder: 'docs/guides/', path: '' },
  { folder: 'docs/reference/', path: 'reference/' },
  { folder: 'packages/providers/src/', path: 'setup/' },
]
/** Samples for an operator to copy, beside the page of a provider. */
const sampleName = /^packages\/providers\/src\/([a-z0-9-]+(?:\/[a-z0-9_-]+)+\.(?:conf|xml|lua))$/
const screenshot = /^docs\/(screenshots\/[\w-]+\.png)$/

function pathOf(file: string): string | undefined {
  if (file === contentsFile) return ''
  if (file === 'CHANGELOG.md') return 'changelog'
  const shelf = shelves.find(({ folder }) => file.startsWith(folder))
  if (!shelf || !file.endsWith('.md')) return undefined
  return shelf.path + file.slice(shelf.folder.length, -'.md'.length).replace(/\/README$/, '')
}

/** The way from one page to a place in the site: the same below any address, so that a proxy may serve it anywhere. */
export function wayTo(from: string, place: string): string {
  const way = relative(`/docs/latest/${from}`, `/docs/latest/${place}`).split(sep).join('/')
  return way === '' ? './' : `${way}${place.endsWith('/') || place === '' ? '/' : ''}`
}

/** The address of a page, seen from another. */
export const linkTo = (from: string, path: string, slug = '') =>
  `${wayTo(from, path === '' ? '' : `${path}/`)}${slug === '' ? '' : `#${slug}`}`

/** A relative link of `file`, as one of the site; undefined for what is not part of it. */
function linkFrom(file: string, from: string, files: Map<string, string>) {
  return (href: string): string | undefined => {
    if (/^([a-z]+:|#|\/)/i.test(href)) return href
    const [target = '', slug = ''] = href.split('#')
    const inRoot = resolve('/', dirname(file), target).slice(1)
    const call = /^docs\/reference\/(calls\/[a-z-]+)\.md$/.exec(inRoot)?.[1]
    const sample = sampleName.exec(inRoot)?.[1]
    const copied = screenshot.exec(inRoot)?.[1] ?? (sample && `samples/${sample}`)
    if (copied) {
      files.set(copied, inRoot)
      return wayTo(from, copied)
    }
    const path = call ? `reference/${call}` : pathOf(inRoot)
    return path === undefined ? undefined : linkTo(from, path, slug)
  }
}

/** Markdown whose links hold where the site has it: at the address of its page, with `.md`. */
function asServed(markdown: string, path: string, link: LinkRule): string {
  const from = path === '' ? 'index' : path
  return markdown.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, words: string, href: string) => {
    const led = link(href)
    if (led === undefined) return words
    if (led === href) return whole
    const [way = '', slug] = led.split('#')
    const place = join('/', path, way)
    const target = way.endsWith('/') ? `${place === '/' ? '/index' : place.slice(0, -1)}.md` : place
    return `[${words}](${relative(dirname(`/${from}`), target)}${slug ? `#${slug}` : ''})`
  })
}

/** The headings of the contents page are chapters, the links under each its pages. */
function chaptersOf(markdown: string): { title: string; entries: { name: string; file: string }[] }[] {
  const chapters: ReturnType<typeof chaptersOf> = []
  for (const line of markdown.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading) chapters.push({ title: heading, entries: [] })
    const [, name, target] = /^[-*] \[([^\]]+)\]\(([^)]+\.md)\)/.exec(line) ?? []
    if (!name || !target) continue
    chapters.at(-1)?.entries.push({ name, file: join(dirname(contentsFile), target).split(sep).join('/') })
  }
  return chapters
}

/** The list of calls, with a link to the page of each: only the site has them. */
const linkCalls = (markdown: string, files: ReadonlyMap<string, string>) =>
  markdown.replace(/^\| `([^`]+)` \|/gm, (line, name: string) => {
    const file = files.get(name)
    return file === undefined ? line : `| [\`${name}\`](calls/${file}.md) |`
  })

/**
 * Reads and renders the whole documentation of a checkout: what the contents page names, and a page for each call.
 * @param root the checkout
 * @throws when the contents page names a file that is not there
 */
export function readSite(root: string): Site {
  const files = new Map<string, string>()
  const allCalls = callPages()
  const page = (name: string, file: string, path: string, markdown: string): Page => {
    const link = linkFrom(file, path, files)
    return { path, name, markdown: asServed(markdown, path, link), ...renderPage(markdown, link) }
  }
  const callFiles = new Map(allCalls.map(({ name, file }) => [name, file]))
  const read = (name: string, file: string) => {
    const path = pathOf(file)
    if (path === undefined || !existsSync(join(root, file))) throw new Error(`${contentsFile} names no page: ${file}`)
    const markdown = readFileSync(join(root, file), 'utf8')
    const read = markdown.replace(forEditors, '')
    return page(name, file, path, file === callsFile ? linkCalls(read, callFiles) : read)
  }
  const first = read('Documentation', contentsFile)
  const chapters = chaptersOf(readFileSync(join(root, contentsFile), 'utf8')).map(({ title, entries }) => {
    return { title, pages: entries.map(({ name, file }) => read(name, file)) }
  })
  const areas = Map.groupBy(allCalls, ({ area }) => area)
  const calls = [...areas].map(([title, all]) => {
    const pages = all.map(({ name, file, markdown }) =>
      page(name, `docs/reference/calls/${file}.md`, `reference/calls/${file}`, markdown),
    )
    return { title, pages }
  })
  return { chapters, calls, pages: [first, ...[...chapters, ...calls].flatMap(({ pages }) => pages)], files }
}
