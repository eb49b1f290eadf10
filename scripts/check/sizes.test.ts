import { describe, expect, it } from 'vitest'
import { sizeFault } from './sizes.mjs'

const lines = (count: number) => 'x\n'.repeat(count)

describe('the size of a file', () => {
  it.each([
    ['apps/gateway/src/app.ts', 300],
    ['apps/console/src/ui/pill.tsx', 300],
    ['scripts/start.mjs', 300],
    ['apps/gateway/src/app.test.ts', 500],
    ['apps/console/src/ui/pill.css', 500],
  ])('%s may have %i lines and no more', (path, limit) => {
    expect(sizeFault(path, lines(limit))).toBeUndefined()
    expect(sizeFault(path, lines(limit + 1))).toContain(`has ${limit + 1} lines and may have ${limit}`)
  })

  it.each(['package-lock.json', 'docs/guide.md', 'packages/documents/src/generated/glyphs.ts'])(
    '%s may have any',
    (path) => {
      expect(sizeFault(path, lines(9000))).toBeUndefined()
    },
  )
})
