import { linkTo, type Page, type Site } from './pages.ts'

/** The page of search results; its script fills it. */
export const searchPage: Page = {
  path: 'search',
  name: 'Search',
  title: 'Search',
  markdown: '',
  sections: [],
  html: '<h1>Search</h1><p id="hint">Type a word above, for example the name of a setting or something you see on a screen. No page has all the words you are looking for? Try fewer of them. Searching needs JavaScript; the pages do not.</p><ol class="results" id="results"></ol>',
}

/** The page of each call has them; they would hide what says more. */
const partsOfCalls = new Set(['Example', 'Answer', 'Errors'])

/** The sections of all pages for the search, with their addresses from the start of the site. */
export function searchFile({ pages }: Site): string {
  const sections = pages.flatMap(({ path, title, sections }) =>
    sections
      .filter((section) => !path.startsWith('reference/calls/') || !partsOfCalls.has(section.title))
      .map((section) => ({
        title: section.title,
        page: title,
        text: section.text.replace(/\s+/g, ' ').slice(0, 2000),
        to: linkTo('', path, section.depth > 1 ? section.slug : ''),
      })),
  )
  return JSON.stringify(sections)
}

function anchorsOf({ path, sections }: Page): [key: string, href: string][] {
  const topic = path.split('/').at(-1) ?? path
  const below = sections.slice(1).map(({ slug }): [string, string] => {
    return [`${topic}-${slug}`, `../${linkTo('', path, slug)}`]
  })
  return [[topic, `../${linkTo('', path)}`], ...below]
}

/**
 * Addresses by key, `phaxio` for a page and `phaxio-callback-address` for a section, seen from the file: one for each
 * page's name, and `all`.
 */
export function anchorFiles({ chapters }: Site): [name: string, text: string][] {
  const all = new Map<string, [string, string][]>()
  for (const page of chapters.flatMap(({ pages }) => pages)) {
    const topic = page.path.split('/').at(-1) ?? page.path
    all.set(topic, [...(all.get(topic) ?? []), ...anchorsOf(page)])
  }
  all.set('all', [...all.values()].flat())
  return [...all].map(([topic, anchors]) => [`anchors/${topic}.json`, JSON.stringify(Object.fromEntries(anchors))])
}

const firstSentence = (text: string) => text.replace(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z])/)[0] ?? ''

/** What assistants read: a list of all pages (llmstxt.org), and all of the guides in one file. */
export function assistantFiles({ chapters, calls }: Site): [name: string, text: string][] {
  const line = ({ path, title, sections }: Page) =>
    `- [${title}](${path}.md): ${firstSentence(sections[0]?.text ?? '')}`
  const listed = [...chapters, ...calls.map(({ title, pages }) => ({ title: `Calls: ${title}`, pages }))]
  const lists = listed.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}`)
  const head =
    '# Faxdeck\n\n> A self-hosted fax gateway: sends and receives faxes through a provider, with an API, client libraries for Node and Python, a command line and a console.\n\nEvery page is Markdown at its address with `.md`. [All guides in one file](llms-full.txt).'
  const guides = chapters.flatMap(({ pages }) => pages.map(({ markdown }) => markdown))
  return [
    ['llms.txt', `${head}\n\n${lists.join('\n\n')}\n`],
    ['llms-full.txt', guides.join('\n\n')],
  ]
}
