import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '../../packages/contract/src/index.ts'
import { repositoryRoot as root } from '../repository.mjs'
import { buildDocs } from './build.ts'
import { layOut } from './layout.ts'
import { anchorFiles, assistantFiles, searchFile } from './lists.ts'
import { readSite } from './pages.ts'
import { renderPage, slugOf } from './render.ts'

const site = readSite(root)
const pages = new Map(site.pages.map((page) => [page.path, page]))
const anchors = new Map(anchorFiles(site))
/** Where a browser ends up. */
const addressOf = (href: string, from: string) =>
  new URL(href, `http://docs/docs/latest/${from === '' ? '' : `${from}/`}`)
const hasSection = (path: string, slug: string) => pages.get(path)?.sections.some((section) => section.slug === slug)

describe('the pages', () => {
  it('are every guide, every provider and every call', () => {
    for (const file of readdirSync(join(root, 'docs/guides'))) {
      if (file !== 'README.md') expect([...pages.keys()]).toContain(file.replace('.md', ''))
    }
    for (const { name, isDirectory } of readdirSync(join(root, 'packages/providers/src'), { withFileTypes: true }).map(
      (entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }),
    )) {
      const readme = join(root, 'packages/providers/src', name, 'README.md')
      if (isDirectory && statSync(readme, { throwIfNoEntry: false }))
        expect([...pages.keys()]).toContain(`setup/${name}`)
    }
    const titles = new Set(site.pages.map(({ title }) => title))
    for (const { method, path } of Object.values(routes)) expect(titles).toContain(`${method} ${path}`)
    expect(pages.size).toBe(site.pages.length)
  })

  it('lead only to pages, sections and files that exist', () => {
    const broken: string[] = []
    for (const page of site.pages) {
      for (const [, href = ''] of layOut(page, site).matchAll(/ (?:href|src|data-page|action)="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue
        const { pathname, hash } = addressOf(href, page.path)
        const place = pathname.replace('/docs/latest/', '')
        if (pathname.startsWith('/admin-demo/') || /^(site\.css|\w+\.js|search\/|llms\.txt)$/.test(place)) continue
        const path = place.replace(/\/$/, '')
        const isThere =
          place === '' || place.endsWith('/') ? pages.has(path) : site.files.has(place) || isMarkdown(place)
        if (!isThere || (hash !== '' && hash !== '#content' && hash !== '#pages' && !hasSection(path, hash.slice(1))))
          broken.push(`${page.path}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })
  const isMarkdown = (place: string) => pages.has(place.replace(/(^index)?\.md$/, ''))

  it('lead from their Markdown to Markdown that exists', () => {
    const broken = site.pages.flatMap(({ path, markdown }) =>
      [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => {
        if (/^[a-z]+:|^#|^\//.test(href)) return []
        const place = new URL(href, `http://docs/${path === '' ? 'index' : path}.md`).pathname.slice(1)
        return site.files.has(place) || isMarkdown(place) ? [] : [`${path}: ${href}`]
      }),
    )
    expect(broken).toEqual([])
  })

  it('show only pictures that are small', () => {
    const pictures = readdirSync(join(root, 'docs/screenshots')).map((name) => join(root, 'docs/screenshots', name))
    expect(pictures.filter((path) => statSync(path).size > 150_000)).toEqual([])
  })

  it('begin with a title and never name a section twice', () => {
    for (const { path, sections } of site.pages) {
      expect(sections[0]?.depth, path).toBe(1)
      const slugs = sections.map(({ slug }) => slug)
      const repeated = slugs.filter((slug, index) => slugs.indexOf(slug) !== index)
      if (!path.startsWith('reference/') && path !== 'changelog') expect(repeated, path).toEqual([])
    }
  })

  it('run no script of their own and ask no other host for anything', () => {
    for (const page of site.pages) {
      const html = layOut(page, site)
      expect(
        html.match(/<script(?! src="[./\w]+"><\/script>| type="module" src="[./\w]+"><\/script>)/),
        page.path,
      ).toBeNull()
      expect(html.match(/(?:src|<link[^>]+href)="(?:https?:)?\/\//), page.path).toBeNull()
    }
  })
})

describe('a page', () => {
  it('marks itself, names its sections, and offers its Markdown', () => {
    const page = pages.get('security')
    const html = page ? layOut(page, site) : ''
    expect(html).toContain('<a href="./" aria-current="page">Security and HIPAA</a>')
    expect(html).toContain('<li><a href="#require-api-key">Require API key</a></li>')
    expect(html).toContain('data-page="../security.md"')
  })

  it('of a call lists the calls beside it', () => {
    const page = pages.get('reference/calls/submit-fax')
    expect(page && layOut(page, site)).toContain('<a href="../get-fax/">GET /fax/:id</a>')
  })
})

describe('rendering', () => {
  const plain = (markdown: string) => renderPage(markdown, (href) => href).html

  it('takes nothing for HTML', () => {
    expect(plain('# A\n\n<script>alert(1)</script> and `<b>`')).not.toMatch(/<script>|<b>/)
  })

  it('names sections as GitHub does', () => {
    expect(slugOf('Local or S3?')).toBe('local-or-s3')
    expect(plain('## Verify the chain')).toContain('<h2 id="verify-the-chain">')
  })

  it('makes tabs of code blocks that follow each other and have names', () => {
    const html = plain('```sh curl\na\n```\n\n```js Node\nb\n```\n\nText\n\n```sh\nc\n```')
    expect(html.match(/<div class="tabs">.*?<\/div>/s)?.[0].match(/data-tab="\w+"/g)).toEqual([
      'data-tab="curl"',
      'data-tab="Node"',
    ])
    expect(plain('```sh no-run: it publishes\na\n```')).not.toContain('data-tab')
  })
})

describe('the lists', () => {
  it('have addresses by topic, for the console', () => {
    const read = (topic: string) => JSON.parse(anchors.get(`anchors/${topic}.json`) ?? '{}') as Record<string, string>
    expect(read('security')).toMatchObject({
      security: '../security/',
      'security-require-api-key': '../security/#require-api-key',
    })
    for (const topic of ['diagnostics', 'inbound', 'storage', 'plugins', 'mcp', 'scripts', 'setup', 'send', 'jobs'])
      expect(read(topic)).toHaveProperty(topic)
    for (const topic of ['tunnels', 'keys', 'logs', 'phaxio', 'sinch', 'signalwire', 'documo', 'sip', 'freeswitch'])
      expect(read(topic)).toHaveProperty(topic)
    expect(read('all')).toHaveProperty('security-hipaa')
  })

  it('have every section for the search, at an address that exists', () => {
    const sections = JSON.parse(searchFile(site)) as { title: string; to: string }[]
    expect(sections.find(({ title }) => title === 'Idempotency')?.to).toBe('send/#idempotency')
    const lost = sections.filter(({ to }) => {
      const { pathname, hash } = addressOf(to, '')
      const path = pathname.replace('/docs/latest/', '').replace(/\/$/, '')
      return !pages.has(path) || (hash !== '' && !hasSection(path, hash.slice(1)))
    })
    expect(lost).toEqual([])
  })

  it('name every page for assistants', () => {
    const listed = new Map(assistantFiles(site)).get('llms.txt')
    for (const path of pages.keys()) if (path !== '') expect(listed).toContain(`](${path}.md)`)
  })
})

describe('the built site', () => {
  it('has its pages, files, search and scripts, and replaces what was there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'faxdeck-docs-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await buildDocs(root, folder)
    for (const name of [
      'index.html',
      'search/index.html',
      'search.json',
      'site.css',
      'theme.js',
      'page.js',
      'llms.txt',
    ])
      expect(statSync(join(folder, name)).size, name).toBeGreaterThan(0)
    expect(readFileSync(join(folder, 'setup/phaxio.md'), 'utf8')).toMatch(/^# /)
    expect(readFileSync(join(folder, 'samples/sip/asterisk/ami.conf'), 'utf8')).toContain('[')
    expect(statSync(join(folder, 'screenshots/dashboard-light-1360.png')).size).toBeGreaterThan(1000)
  })
})
