import { describe, expect, it } from 'vitest'
import { folderFaults, foldersInCircles } from './folder-faults.mjs'

const at = 'apps/gateway/src'
const files = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([path, text]) => [`${at}/${path}`, text]))

describe('folders of one level', () => {
  it('are in a circle when each imports the other through different files', () => {
    const circle = files({
      'fax/move/a.ts': "import { b } from '../read/b.ts'\n",
      'fax/read/b.ts': '',
      'fax/read/c.ts': "export * from '../move/d.ts'",
      'fax/move/d.ts': '',
    })
    expect(foldersInCircles(circle, false)).toEqual({ [`${at}/fax`]: ['move', 'read'] })
  })

  it('are in a circle through a third', () => {
    const circle = files({
      'base/a.ts': '',
      'base/x/a.ts': "import {\n  y,\n} from '../y/a.ts'",
      'base/y/a.ts': "import '../z/deep/er/a.ts'",
      'base/z/deep/er/a.ts': "import x from '../../../x/a.ts'",
    })
    expect(foldersInCircles(circle, false)).toEqual({ [`${at}/base`]: ['x', 'y', 'z'] })
  })

  it('are in none when only a file above, a test or a folder of test tools closes it', () => {
    const fine = files({
      'x/a.ts': "import '../y/a.ts'\nimport '../top.ts'",
      'top.ts': "import './x/a.ts'",
      'y/a.ts': '',
      'y/a.test.ts': "import '../x/a.ts'",
      'y/testing/b.ts': "import '../../x/a.ts'",
    })
    expect(foldersInCircles(fine, true)).toEqual({})
  })

  it.each(["import type { A } from '../x/a.ts'", "import { type A, type B } from '../x/a.ts'"])(
    'are in one by %s only where types count',
    (text) => {
      const types = files({ 'x/a.ts': "import { b } from '../y/a.ts'", 'y/a.ts': text })
      expect(foldersInCircles(types, false)).toEqual({})
      expect(foldersInCircles(types, true)).toEqual({ [at]: ['x', 'y'] })
    },
  )

  it('are each reported, and whether only types do it', () => {
    const back = { code: "import '../x/a.ts'", types: "import type { A } from '../x/a.ts'" }
    const faultsOf = (text: string) => folderFaults(files({ 'x/a.ts': "import '../y/a.ts'", 'y/a.ts': text }))
    expect(faultsOf(back.code)).toEqual([
      expect.stringContaining(`${at}/x imports folders beside it that import it.`),
      expect.stringContaining(`${at}/y imports folders beside it that import it.`),
    ])
    expect(faultsOf(back.types)[0]).toContain('(imports of types count)')
    expect(faultsOf('')).toEqual([])
  })
})
