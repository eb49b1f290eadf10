import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allRows } from '../../apps/gateway/src/base/settings/rows.ts'
import { messageEvents, problems, routes } from '../../packages/contract/src/index.ts'
import { providers } from '../../packages/providers/src/registry.ts'
import { callPages } from './call-pages.mjs'
import { callsPage, errorsPage } from './calls-page.mjs'
import { checksPage } from './checks-page.mjs'
import { settingsPage } from './settings-page.mjs'
import { webhooksPage } from './webhooks-page.mjs'

describe('the reference of calls', () => {
  const pages = callPages()

  it('has every call with its method and path, in the list and on a page of its own', () => {
    const list = callsPage()
    for (const [name, { method, path, summary }] of Object.entries(routes)) {
      expect(list).toContain(`| \`${method} ${path}\` |`)
      const page = pages.find(({ call }) => call === name)
      expect(page?.markdown.startsWith(`# ${method} ${path}\n\n${summary}\n`), name).toBe(true)
      expect(page?.markdown).toMatch(/## Example\n\n```sh curl\ncurl [^]*## Answer\n\n[^]*## Errors\n/)
    }
    expect(new Set(pages.map(({ file }) => file)).size).toBe(pages.length)
  })

  it('says that programs elsewhere may follow their faxes, but not the console’s changes', () => {
    const [followed, watched] = ['followFaxes', 'followChanges'].map((name) => pages.find(({ call }) => call === name))
    expect(followed?.markdown).not.toContain('only to this machine')
    expect(watched?.markdown).toContain('- Answers only to this machine and the admin networks.')
  })

  it('says what a call is allowed to and what it leaves in the audit trail', () => {
    const page = pages.find(({ call }) => call === 'savePrice')?.markdown
    expect(page).toContain('- Needs the scope `keys:manage`.')
    expect(page).toContain('- Open to signed-in people with the role Administrator.')
    expect(page).toContain('- Recorded in the audit trail as `price_saved`.')
  })
})

describe('the reference of errors', () => {
  it('has every error as a section that can be linked to', () => {
    for (const code of Object.keys(problems)) expect(errorsPage()).toContain(`\n### ${code}\n`)
  })
})

describe('the reference of checks', () => {
  const page = checksPage()

  it('has every check of the gateway and of the providers as a section that can be linked to', () => {
    const features = join(import.meta.dirname, '../../apps/gateway/src/features')
    const files = readdirSync(features, { recursive: true, encoding: 'utf8' })
    const probes = files
      .filter((file) => /^diagnostics.[\w-]+\.ts$|.checks\.ts$/.test(file) && !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(join(features, file), 'utf8').matchAll(/name: '(\w+)',\s+severity: '\w+',\s+hint/g),
      ])
      .map(([, name = '']) => name)
    expect(probes.length).toBeGreaterThan(25)
    const all = [...probes, ...providers.flatMap(({ checks }) => checks.map(({ name }) => name))]
    expect(all.filter((name) => !page.includes(`\n### ${name}\n`))).toEqual([])
  })
})

describe('the reference of webhooks', () => {
  it('has every event with its schema', () => {
    for (const event of messageEvents) {
      expect(webhooksPage()).toContain(`## \`${event}\``)
      expect(webhooksPage()).toContain(`"const": "${event}"`)
    }
  })
})

describe('the reference of settings', () => {
  const page = settingsPage()

  it('has every setting of the core and of every provider, once', () => {
    for (const { env } of allRows(providers)) {
      expect(page.split('\n').filter((line) => line.startsWith(`| \`${env}\``))).toHaveLength(1)
    }
  })

  it('has tables whose rows all have as many cells as their head', () => {
    const cells = page.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split(/(?<!\\)\|/).length] : []))
    expect(new Set(cells)).toEqual(new Set([7]))
  })
})
