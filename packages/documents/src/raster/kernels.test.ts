import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'

describe('the code in WebAssembly', () => {
  it.for(['./tile-band', './lowest-near', '../t4-t6/t6-rows'])('of %s is what its source says', (name, context) => {
    requireJudge(context, 'wat2wasm')
    const built = join(testFolder(), 'built.wasm')
    runJudge('wat2wasm', fileURLToPath(new URL(`${name}.wat`, import.meta.url)), '-o', built)
    expect(readFileSync(built).equals(readFileSync(new URL(`${name}.wasm`, import.meta.url)))).toBe(true)
  })
})
