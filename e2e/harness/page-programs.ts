import { fileURLToPath } from 'node:url'
import { allFences, type Fence } from '../../scripts/docs/fences.ts'

const fences = allFences(fileURLToPath(new URL('../..', import.meta.url)))

/**
 * The code block of a page that has a line with these words, as the page has it.
 * @throws {Error} when the page has none, or several
 */
export function blockWith(page: string, language: Fence['language'], words: string): string {
  const found = fences.filter((fence) => {
    return fence.file === `docs/guides/${page}.md` && fence.language === language && fence.text.includes(words)
  })
  if (found.length !== 1) throw new Error(`${page}.md has ${found.length} blocks of ${language} with "${words}".`)
  return found[0]?.text ?? ''
}
