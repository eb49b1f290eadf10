import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fenceOf } from './render.ts'

/** A code block of a page. */
export interface Fence {
  /** Path of the file, and line of the block. */
  file: string
  line: number
  language: string
  text: string
  /** Why it cannot be run; undefined when it can. */
  noRun?: string
}

function fencesOf(root: string, file: string): Fence[] {
  const fences: Fence[] = []
  let open: Fence | undefined
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    const info = /^\s*```(.*)$/.exec(line)?.[1]
    if (info === undefined) {
      if (open) open.text += `${line}\n`
    } else if (open) {
      fences.push(open)
      open = undefined
    } else {
      const noRun = /(?:^| )no-run: (.+)$/.exec(info)?.[1]
      open = { file, line: index + 1, text: '', language: fenceOf(info).language, ...(noRun ? { noRun } : {}) }
    }
  }
  return fences
}

/** Every code block that people write: of the guides, the pages of providers and the READMEs. */
export function allFences(root: string): Fence[] {
  const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
  const providers = readdirSync(join(root, 'packages/providers/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('README.md'))
    .map((name) => `packages/providers/src/${name}`)
  const readmes = ['README.md', 'packages/sdk-node/README.md', 'sdk-python/README.md']
  return [...guides, ...providers, ...readmes].flatMap((file) => fencesOf(root, file))
}
