import { readFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { docsPath } from '../../base/http/base-path.ts'
import { renderPage, type RenderedPage, type Section } from './render.ts'

interface Entry {
  title: string
  /** Below `docsPath`, without slashes at its ends; empty for the first page. */
  path: string
  file: string
}

export interface Chapter {
  title: string
  entries: Entry[]
}

export interface Hit {
  page: string
  section: Section
  href: string
}

/** The pages of the documentation. */
export interface Library {
  chapters: () => Promise<Chapter[]>
  /** The page at a path; undefined when there is none. */
  page: (path: string) => Promise<RenderedPage | undefined>
  /** Addresses by key, `phaxio` for a page and `phaxio-callback-address` for a section; `all` is every page's. */
  anchors: (topic: string) => Promise<Record<string, string> | undefined>
  search: (words: string) => Promise<Hit[]>
  /** A sample configuration that a page links to; undefined when there is none. */
  sample: (name: string) => Promise<string | undefined>
}

const contentsFile = 'docs/guides/README.md'
/** Folders whose pages stand under a path of their own; a README there has the name of its folder. */
const shelves = [
  { folder: 'docs/guides/', path: '' },
  { folder: 'docs/reference/', path: 'reference/' },
  { folder: 'packages/providers/src/', path: 'setup/' },
]
const maxHits = 30
/** Samples for an operator to copy, beside the page of a provider. */
const samples = 'packages/providers/src/'
const sampleName = /^packages\/providers\/src\/([a-z0-9-]+(?:\/[a-z0-9_-]+)+\.(?:conf|xml|lua))$/

function pathOf(file: string): string | undefined {
  if (file === contentsFile) return ''
  const shelf = shelves.find(({ folder }) => file.startsWith(folder))
  if (!shelf || !file.endsWith('.md')) return undefined
  return shelf.path + file.slice(shelf.folder.length, -'.md'.length).replace(/\/README$/, '')
}

export const addressOf = (path: string, slug = '') =>
  `${docsPath}/${path === '' ? '' : `${path}/`}${slug === '' ? '' : `#${slug}`}`

/** A relative link of `file`, as an address of the site; what is not part of the site stays as it is. */
function linkFrom(file: string, root: string) {
  return (href: string): string => {
    if (/^([a-z]+:|#|\/)/i.test(href)) return href
    const [target = '', slug = ''] = href.split('#')
    const inRoot = resolve(root, dirname(file), target)
      .slice(resolve(root).length + 1)
      .split(sep)
      .join('/')
    const picture = /^docs\/screenshots\/([\w-]+\.png)$/.exec(inRoot)?.[1]
    if (picture) return `${docsPath}/screenshots/${picture}`
    const sample = sampleName.exec(inRoot)?.[1]
    if (sample) return `${docsPath}/samples/${sample}`
    const path = pathOf(inRoot)
    return path === undefined ? href : addressOf(path, slug)
  }
}

/** The headings of the contents page are chapters, the links under each its pages. */
function chaptersOf(markdown: string): Chapter[] {
  const chapters: Chapter[] = []
  for (const line of markdown.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading) chapters.push({ title: heading, entries: [] })
    const [, title, target] = /^[-*] \[([^\]]+)\]\(([^)]+\.md)\)/.exec(line) ?? []
    if (!title || !target) continue
    const file = join(dirname(contentsFile), target).split(sep).join('/')
    const path = pathOf(file)
    if (path !== undefined) chapters.at(-1)?.entries.push({ title, path, file })
  }
  return chapters
}

function anchorsOf(path: string, { sections }: RenderedPage): [key: string, href: string][] {
  const topic = path.split('/').at(-1) ?? path
  const below = sections.slice(1).map(({ slug }): [string, string] => [`${topic}-${slug}`, addressOf(path, slug)])
  return [[topic, addressOf(path)], ...below]
}

/** Sections in which every word occurs; a word in a title counts more. */
function hitsIn(path: string, { title, sections }: RenderedPage, words: readonly string[]) {
  return sections.flatMap((section) => {
    const heading = `${title} ${section.title}`.toLowerCase()
    const text = section.text.toLowerCase()
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return []
    const score = words.filter((word) => heading.includes(word)).length
    return [{ score, hit: { page: title, section, href: addressOf(path, section.depth > 1 ? section.slug : '') } }]
  })
}

/** The documentation of a checkout: read when first asked for, then kept. Only what the contents page names is served. */
export function createLibrary(root: string): Library {
  const rendered = new Map<string, Promise<RenderedPage>>()
  let contents: Promise<Chapter[]> | undefined
  const chapters = () => (contents ??= readFile(join(root, contentsFile), 'utf8').then(chaptersOf))
  const render = (file: string) => {
    const known = rendered.get(file)
    if (known) return known
    const page = readFile(join(root, file), 'utf8').then((markdown) => renderPage(markdown, linkFrom(file, root)))
    rendered.set(file, page)
    return page
  }
  const entries = async () => (await chapters()).flatMap((chapter) => chapter.entries)
  const find = async (path: string) => (await entries()).find((entry) => entry.path === path)
  const all = async () => {
    const listed = await entries()
    return Promise.all(listed.map(async ({ path, file }) => ({ path, page: await render(file) })))
  }
  return {
    chapters,
    page: async (path) => {
      const file = path === '' ? contentsFile : (await find(path))?.file
      return file === undefined ? undefined : render(file)
    },
    anchors: async (topic) => {
      const pages = (await all()).filter(({ path }) => topic === 'all' || path.split('/').at(-1) === topic)
      if (pages.length === 0) return undefined
      return Object.fromEntries(pages.flatMap(({ path, page }) => anchorsOf(path, page)))
    },
    sample: async (name) => {
      const file = `${samples}${name}`
      if (!sampleName.test(file)) return undefined
      return readFile(join(root, file), 'utf8').catch(() => undefined)
    },
    search: async (text) => {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
      if (words.length === 0) return []
      const found = (await all()).flatMap(({ path, page }) => hitsIn(path, page, words))
      found.sort((a, b) => b.score - a.score)
      return found.slice(0, maxHits).map(({ hit }) => hit)
    },
  }
}
