import { describe, expect, it } from 'vitest'
import { nameFaults, sizeFaults, wordFaults } from './file-faults.mjs'

// Put together here, so that this file itself passes the check.
const machinePath = (top: string) => ['', top, 'faxdeck'].join('/')
const marker = (parts: string[]) => parts.join('')

describe('names', () => {
  it.each(['packages/documents/src/utils.ts', 'apps/gateway/src/helpers/page.ts', 'apps/console/src/types.d.ts'])(
    'refuses %s',
    (path) => {
      expect(nameFaults(path)).toEqual([expect.stringContaining('says nothing about what is inside')])
    },
  )

  it.each(['packages/documents/src/page-size.ts', 'apps/gateway/src/settings/types-of-paper.ts', '.ci/run'])(
    'accepts %s',
    (path) => {
      expect(nameFaults(path)).toEqual([])
    },
  )
})

describe('words', () => {
  it.each(['work', 'root', 'home'])('finds a path below the folder %s with its line', (top) => {
    expect(wordFaults('notes.md', `first\nsee ${machinePath(top)}\n`)).toEqual([
      expect.stringMatching(/^notes\.md:2 names/),
    ])
  })

  it('leaves the same words alone inside addresses and relative paths', () => {
    expect(wordFaults('notes.md', `https://example.org${machinePath('home')} and .${machinePath('work')}`)).toEqual([])
  })

  it.each([[['FIX', 'ME']], [['X', 'XX']]])('finds the marker %j', (parts) => {
    expect(wordFaults('page.ts', `// ${marker(parts)}: later`)).toEqual([expect.stringContaining('carries the marker')])
  })

  it('accepts the two markers of the house', () => {
    expect(wordFaults('page.ts', '// NOTE one thing\n// TODO another')).toEqual([])
  })
})

const lines = (count: number) => 'x\n'.repeat(count)

describe('the size of a file', () => {
  it.each([
    ['apps/gateway/src/app.ts', 300],
    ['apps/console/src/ui/pill.tsx', 300],
    ['scripts/start.mjs', 300],
    ['apps/gateway/src/app.test.ts', 500],
    ['apps/console/src/ui/pill.css', 500],
  ])('%s may have %i lines and no more', (path, limit) => {
    expect(sizeFaults(path, lines(limit))).toEqual([])
    expect(sizeFaults(path, lines(limit + 1))).toEqual([
      expect.stringContaining(`has ${limit + 1} lines and may have ${limit}`),
    ])
  })

  it.each(['package-lock.json', 'docs/guide.md', 'packages/documents/src/generated/glyphs.ts'])(
    '%s may have any',
    (path) => {
      expect(sizeFaults(path, lines(9000))).toEqual([])
    },
  )
})
