import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { repositoryRoot } from '../repository.mjs'
import { anchorFiles, assistantFiles, searchFile, searchPage } from './lists.ts'
import { layOut } from './layout.ts'
import { readSite } from './pages.ts'

/**
 * Builds the documentation as static files: pages, what they show, the search, and the same for assistants.
 * @param root the checkout
 * @param folder is emptied first
 */
export async function buildDocs(root: string, folder: string): Promise<void> {
  const site = readSite(root)
  rmSync(folder, { recursive: true, force: true })
  const place = (name: string) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    return path
  }
  const write = (name: string, text: string) => writeFileSync(place(name), text)
  for (const page of [...site.pages, searchPage]) write(join(page.path, 'index.html'), layOut(page, site))
  for (const { path, markdown } of site.pages) write(`${path === '' ? 'index' : path}.md`, markdown)
  for (const [name, text] of [...anchorFiles(site), ...assistantFiles(site)]) write(name, text)
  write('search.json', searchFile(site))
  for (const [name, source] of site.files) copyFileSync(join(root, source), place(name))
  const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
  write('site.css', own('site.css'))
  write('theme.js', own('theme.mjs'))
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page.mjs') })
  await bundle.write({ file: place('page.js'), minify: true })
  await bundle.close()
}

if (import.meta.main) await buildDocs(repositoryRoot, join(repositoryRoot, 'docs/dist'))
