import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sdkVersion } from './snippets.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../../..', file), 'utf8')

it('names the version that the client libraries have', () => {
  expect(JSON.parse(read('packages/sdk-node/package.json'))).toMatchObject({ version: sdkVersion })
  expect(read('sdk-python/pyproject.toml')).toContain(`version = "${sdkVersion}"`)
  expect(read('sdk-python/faxdeck/__init__.py')).toContain(`__version__ = "${sdkVersion}"`)
})
