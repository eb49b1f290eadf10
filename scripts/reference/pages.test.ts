import { describe, expect, it } from 'vitest'
import { allRows } from '../../apps/gateway/src/base/settings/rows.ts'
import { messageEvents, problems, routes } from '../../packages/contract/src/index.ts'
import { providers } from '../../packages/providers/src/registry.ts'
import { callsPage } from './calls-page.mjs'
import { settingsPage } from './settings-page.mjs'
import { webhooksPage } from './webhooks-page.mjs'

describe('the reference of calls', () => {
  const page = callsPage()

  it('has every call with its method and path', () => {
    for (const [name, { method, path }] of Object.entries(routes)) {
      expect(page).toContain(`### ${name}\n\n\`${method} ${path}\``)
    }
  })

  it('has every error', () => {
    for (const code of Object.keys(problems)) expect(page).toContain(`| \`${code}\` |`)
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
