import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'
import { checkManifest, installManifest, type Installed, installedAs } from './install.ts'
import type { PluginContext } from './installed.ts'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where an operator puts manifests that are to be imported together, in the data directory. */
const manifestFolder = 'plugin-manifests'

const maxFiles = 200
const largestFile = 1024 * 1024

/**
 * The texts of all JSON and markdown files in the folder, in the order of their names. Links are not followed, larger
 * files than 1 MB are refused.
 * @throws {Problem} `bad_request` when there is no such folder or no such file in it, `too_large`
 */
async function readManifestFolder(dataDirectory: string): Promise<string[]> {
  const folder = join(dataDirectory, manifestFolder)
  const about = await lstat(folder).catch(() => undefined)
  const entries = about?.isDirectory() ? await readdir(folder, { withFileTypes: true }) : []
  const names = entries
    .filter((entry) => entry.isFile() && /\.(json|md)$/i.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
  if (names.length === 0) {
    throw new Problem(
      'bad_request',
      `Put manifests as .json or .md files into the folder ${manifestFolder} of the data directory; nothing is fetched from the network.`,
    )
  }
  if (names.length > maxFiles)
    throw new Problem('too_large', `The folder ${manifestFolder} holds more than ${maxFiles} files.`)
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      if ((await lstat(path)).size > largestFile) throw new Problem('too_large', `${name} is larger than 1 MB.`)
      return readFile(path, 'utf8')
    }),
  )
}

interface Given {
  items?: readonly unknown[] | undefined
  markdown?: string | undefined
  source?: 'repo_scrape' | undefined
  /** Everything is checked and nothing is installed. */
  test?: boolean | undefined
}

interface Imported {
  imported: Installed[]
  errors: { error: string; data_keys: string[] }[]
}

const maxManifests = 200
const fence = /^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^ {0,3}\1[ \t]*$/gm

const isLikeJson = (text: string) => /^\s*[{[]/.test(text)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One document's manifests: a single one, a list, or `{items: […]}`. */
function manifestsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  return Array.isArray(value.items) && value.id === undefined ? value.items.filter(isObject) : [value]
}

/** What was found in texts: manifests, and why something that begins like one cannot be read. */
interface Found {
  manifests: Record<string, unknown>[]
  faults: string[]
}

function readJson(text: string): Found {
  try {
    return { manifests: manifestsIn(JSON.parse(text)), faults: [] }
  } catch (error) {
    return { manifests: [], faults: [`This looks like JSON but is not valid: ${(error as SyntaxError).message}.`] }
  }
}

/** What begins like JSON: of the fenced blocks, or the text itself when it has none. */
function manifestsInText(text: string): Found[] {
  const blocks = Array.from(text.matchAll(fence), ([, , block = '']) => block)
  return (blocks.length > 0 ? blocks : [text]).filter(isLikeJson).map(readJson)
}

async function candidates({ settings }: GatewayContext, { items, markdown, source }: Given): Promise<Found> {
  if (items) return { manifests: items.filter(isObject), faults: [] }
  const texts = source === 'repo_scrape' ? await readManifestFolder(settings.current().fax_data_dir) : [markdown ?? '']
  const found = texts.flatMap(manifestsInText)
  return { manifests: found.flatMap((each) => each.manifests), faults: found.flatMap((each) => each.faults) }
}

/**
 * Installs many manifests, each by itself: what is wrong with one keeps no other out.
 * @throws {Problem} `bad_request` when nothing looks like a manifest or there is no folder
 */
export async function importManifests(context: PluginContext, given: Given, keyId: string): Promise<Imported> {
  const { manifests, faults } = await candidates(context, given)
  if (manifests.length + faults.length === 0) {
    throw new Problem(
      'bad_request',
      'No manifest was found. Give a JSON list, an object with items, or markdown with fenced blocks of JSON.',
    )
  }
  if (manifests.length > maxManifests) {
    throw new Problem(
      'bad_request',
      `At most ${maxManifests} manifests can be imported at once; you gave ${manifests.length}.`,
    )
  }
  const result: Imported = { imported: [], errors: faults.map((error) => ({ error, data_keys: [] })) }
  for (const manifest of manifests) {
    try {
      const one = given.test
        ? installedAs(checkManifest(context, manifest))
        : await installManifest(context, manifest, keyId)
      result.imported.push(one)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const name = typeof manifest.id === 'string' ? `${manifest.id.slice(0, 60)}: ` : ''
      result.errors.push({ error: name + error.message, data_keys: Object.keys(manifest).slice(0, 30) })
    }
  }
  return result
}
