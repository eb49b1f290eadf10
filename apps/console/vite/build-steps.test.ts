import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { routes } from '@faxdeck/contract'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { contractCalls } from './contract-calls.ts'
import { compressFolder } from './precompress.ts'

describe('virtual:calls', () => {
  it('gives the client every call, and nothing of the schemas', async () => {
    const root = await mkdtemp(join(tmpdir(), 'faxdeck-calls-'))
    const entry = join(root, 'entry.js')
    await writeFile(entry, `import { calls } from 'virtual:calls'\nglobalThis.found = calls`)
    const result = (await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [contractCalls()],
      build: { write: false, rolldownOptions: { input: entry } },
    })) as Rolldown.RolldownOutput
    const code = result.output[0].code
    for (const [name, row] of Object.entries(routes)) {
      expect(code).toContain(name)
      expect(code).toContain(row.failure)
    }
    // About a line for each call.
    expect(code.length / Object.keys(routes).length).toBeLessThan(160)
    expect(code).not.toMatch(/zod/i)
  })
})

describe('the compressed copies', () => {
  it('are made of every file of at least 1 kB that is not compressed already, and hold the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'faxdeck-dist-'))
    const long = 'a fax is a sheet of paper that travels by telephone\n'.repeat(40)
    for (const [name, text] of Object.entries({ 'a.js': long, 'small.js': 'short', 'font.woff2': long })) {
      await writeFile(join(folder, name), text)
    }
    await compressFolder(folder)
    expect((await readdir(folder)).sort()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'font.woff2', 'small.js'])
    expect(brotliDecompressSync(await readFile(join(folder, 'a.js.br'))).toString()).toBe(long)
    expect(gunzipSync(await readFile(join(folder, 'a.js.gz'))).toString()).toBe(long)
  })
})
