import { describe, expect, it } from 'vitest'
import { nameFaults, wordFaults } from './house-rules.mjs'

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
