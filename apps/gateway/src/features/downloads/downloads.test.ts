import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { createDownloads } from './feature.ts'

function serve(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-downloads-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const app = fastify()
  createDownloads(folder).serve({ app })
  return (name: string) => app.inject(`/downloads/${name}`)
}

it('the gateway gives its client libraries, and nothing beside them', async () => {
  const ask = serve({ 'faxdeck-1.0.2.tgz': 'archive', SHA256SUMS: 'sums', '.faxdeck-setup.json': '{}' })
  const { headers, body } = await ask('faxdeck-1.0.2.tgz')
  expect([headers['content-type'], body]).toEqual(['application/gzip', 'archive'])
  expect((await ask('SHA256SUMS')).body).toBe('sums')
  for (const name of ['.faxdeck-setup.json', '..%2Fpackage.json', 'faxdeck-9.tgz']) {
    const { body } = await ask(name)
    expect(body).toContain('There is no such file. There are SHA256SUMS, faxdeck-1.0.2.tgz.')
  }
})

it('says what to do where they have not been built', async () => {
  expect((await serve({})('faxdeck-1.0.2.tgz')).body).toContain('Run npm start')
})
