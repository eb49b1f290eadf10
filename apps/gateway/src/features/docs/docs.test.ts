import { readdir, readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { docsPath } from '../../base/http/base-path.ts'
import { createLibrary } from './library.ts'
import { renderPage, slugOf } from './render.ts'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const library = createLibrary(root)

/** Every page of the site by its path, with the first one. */
async function allPages() {
  const entries = (await library.chapters()).flatMap((chapter) => chapter.entries)
  const paths = ['', ...entries.map(({ path }) => path)]
  return new Map(await Promise.all(paths.map(async (path) => [path, await library.page(path)] as const)))
}

describe('the pages', () => {
  it('are all named by the contents page, and all there', async () => {
    const pages = await allPages()
    expect([...pages].filter(([, page]) => page === undefined)).toEqual([])
    for (const file of await readdir(`${root}/docs/guides`)) {
      if (file !== 'README.md') expect([...pages.keys()]).toContain(file.replace('.md', ''))
    }
    const providers = await readdir(`${root}/packages/providers/src`, { withFileTypes: true })
    for (const { name } of providers.filter((each) => each.isDirectory())) {
      const readme = await readFile(`${root}/packages/providers/src/${name}/README.md`).catch(() => undefined)
      if (readme) expect([...pages.keys()]).toContain(`setup/${name}`)
    }
  })

  it('lead only to pages and sections that exist', async () => {
    const pages = await allPages()
    const broken: string[] = []
    for (const [from, page] of pages) {
      for (const [, href = ''] of page?.html.matchAll(/<a (?:class="permalink" )?href="([^"]+)"/g) ?? []) {
        if (/^https?:/.test(href)) continue
        const sample = href.split('/samples/')[1]
        if (sample !== undefined) {
          if ((await library.sample(sample)) === undefined) broken.push(`${from}: ${href}`)
          continue
        }
        const [address = '', slug] = href.split('#')
        const path = address === '' ? from : address.slice(docsPath.length + 1).replace(/\/$/, '')
        const target = address === '' || address.startsWith(docsPath) ? pages.get(path) : undefined
        const found = slug ? target?.sections.some((section) => section.slug === slug) : target
        if (!found) broken.push(`${from}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('show only pictures that exist, and have all of them small', async () => {
    const shown = [...(await allPages())].flatMap(([from, page]) =>
      [...(page?.html.matchAll(/<img src="([^"]+)"/g) ?? [])].map(([, src = '']) => ({ from, src })),
    )
    const names = new Map(
      await Promise.all(
        (await readdir(`${root}/docs/screenshots`)).map(
          async (name) => [name, (await stat(`${root}/docs/screenshots/${name}`)).size] as const,
        ),
      ),
    )
    expect(shown.length).toBeGreaterThan(9)
    expect(shown.filter(({ src }) => !names.has(src.replace(`${docsPath}/screenshots/`, '')))).toEqual([])
    expect([...names].filter(([, size]) => size > 150_000)).toEqual([])
  })

  it('begin with a title and never name a section twice', async () => {
    for (const [path, page] of await allPages()) {
      expect(page?.sections[0]?.depth, path).toBe(1)
      const slugs = page?.sections.map(({ slug }) => slug) ?? []
      const repeated = slugs.filter((slug, index) => slugs.indexOf(slug) !== index)
      if (!path.startsWith('reference/')) expect(repeated, path).toEqual([])
    }
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
})

describe('the site', () => {
  const open = async () => {
    const { app } = await startGateway()
    return (url: string, remoteAddress = '127.0.0.1') =>
      app.inject({ url, headers: { host: 'localhost' }, remoteAddress })
  }

  it('is served without a key, to this machine only', async () => {
    const ask = await open()
    const here = await ask('/docs/latest/security/')
    expect([here.statusCode, here.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(here.body).toContain('<h1 id="security-and-hipaa">')
    expect(here.body).toContain('<a href="/docs/latest/security/" aria-current="page">')
    expect((await ask('/docs/latest/security/', '192.0.2.7')).statusCode).toBe(403)
  })

  it('leads addresses without their last slash, and /docs, to the page', async () => {
    const ask = await open()
    for (const [from, to] of [
      ['/docs', '/docs/latest/'],
      ['/docs/latest', '/docs/latest/'],
      ['/docs/latest/setup/phaxio', '/docs/latest/setup/phaxio/'],
    ] as const) {
      expect((await ask(from)).headers.location).toBe(to)
    }
  })

  it('hands out the samples that pages link to, and nothing else', async () => {
    const ask = await open()
    const sample = await ask('/docs/latest/samples/sip/asterisk/ami.conf')
    expect([sample.statusCode, sample.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    for (const name of ['sip/index.ts', '../../../package.json', 'sip/..%2f..%2f..%2fpackage.json']) {
      expect((await ask(`/docs/latest/samples/${name}`)).statusCode, name).toBe(404)
    }
  })

  it('answers 404 in a sentence for what is not there, and reads no file that is not listed', async () => {
    const ask = await open()
    for (const path of ['nothing/', '../../package.json', '%2e%2e/%2e%2e/README/', 'screenshots/..%2f..%2fx.png']) {
      expect((await ask(`/docs/latest/${path}`)).statusCode, path).toBe(404)
    }
  })

  it('hands out addresses by topic', async () => {
    const ask = await open()
    const anchors = (await ask('/docs/latest/anchors/security.json')).json()
    expect(anchors).toMatchObject({
      security: '/docs/latest/security/',
      'security-require-api-key': '/docs/latest/security/#require-api-key',
    })
    for (const topic of ['diagnostics', 'inbound', 'storage', 'plugins', 'mcp', 'scripts', 'setup', 'send', 'jobs'])
      expect((await ask(`/docs/latest/anchors/${topic}.json`)).json()).toHaveProperty(topic)
    for (const topic of ['tunnels', 'keys', 'logs', 'phaxio', 'sinch', 'signalwire', 'documo', 'sip', 'freeswitch'])
      expect((await ask(`/docs/latest/anchors/${topic}.json`)).json()).toHaveProperty(topic)
    expect((await ask('/docs/latest/anchors/all.json')).json()).toHaveProperty('security-hipaa')
    expect((await ask('/docs/latest/anchors/nothing.json')).statusCode).toBe(404)
  })

  it('finds sections by their words and shows the words it was asked for safely', async () => {
    const ask = await open()
    const found = await ask('/docs/latest/search?q=idempotency')
    expect(found.body).toContain('/docs/latest/send/#idempotency')
    const hostile = await ask(`/docs/latest/search?q=${encodeURIComponent('"><script>x')}`)
    expect(hostile.body).not.toContain('<script>')
    expect(hostile.body).toContain('Nothing found')
  })
})
