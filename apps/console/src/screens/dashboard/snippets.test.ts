import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sdkVersion, snippetsFor } from './snippets.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../../..', file), 'utf8')

it('names the version that the client libraries have', () => {
  expect(JSON.parse(read('packages/sdk-node/package.json'))).toMatchObject({ version: sdkVersion })
  expect(read('sdk-python/pyproject.toml')).toContain(`version = "${sdkVersion}"`)
  expect(read('sdk-python/faxdeck/__init__.py')).toContain(`__version__ = "${sdkVersion}"`)
})

it('begins with curl, which needs nothing, and installs clients from the gateway alone', () => {
  const snippets = snippetsFor('http://127.0.0.1:8080')
  expect(snippets.map(({ key }) => key)).toEqual(['curl', 'node', 'python'])
  const installs = snippets.flatMap(({ blocks }) => blocks.filter(({ title }) => title === 'Install'))
  for (const { code } of installs)
    expect(code).toMatch(/ install http:\/\/127\.0\.0\.1:8080\/downloads\/faxdeck-\d+\.\d+\.\d+[.-]/)
})
