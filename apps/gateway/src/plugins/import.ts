import { Problem } from '../http/problem.ts'
import type { PluginDoors } from './doors.ts'
import { checkManifest, installManifest, type Installed, installedAs } from './install.ts'
import { readManifestFolder } from './manifest-folder.ts'

interface Given {
  items?: readonly unknown[] | undefined
  markdown?: string | undefined
  source?: 'repo_scrape' | undefined
  /** Everything is checked and nothing is installed. */
  test?: boolean | undefined
}

export interface Imported {
  imported: Installed[]
  errors: { error: string; data_keys: string[] }[]
}

const mostManifests = 200
const fence = /^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^ {0,3}\1[ \t]*$/gm

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One document's manifests: a single one, a list, or `{items: […]}`. */
function manifestsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  return Array.isArray(value.items) && value.id === undefined ? value.items.filter(isObject) : [value]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The manifests in a text: the text itself when it is JSON, else every fenced block of it that is. */
export function manifestsInText(text: string): Record<string, unknown>[] {
  const whole = parsed(text)
  if (whole !== undefined) return manifestsIn(whole)
  return [...text.matchAll(fence)].flatMap(([, , block = '']) => manifestsIn(parsed(block)))
}

async function candidates({ settings }: PluginDoors, { items, markdown, source }: Given) {
  if (source === 'repo_scrape') {
    const texts = await readManifestFolder(settings.current().fax_data_dir)
    return texts.flatMap(manifestsInText)
  }
  return items ? items.filter(isObject) : manifestsInText(markdown ?? '')
}

/**
 * Installs many manifests, each by itself: what is wrong with one keeps no other out.
 * @throws {Problem} `bad_request` when nothing looks like a manifest or there is no folder
 */
export async function importManifests(doors: PluginDoors, given: Given, keyId: string): Promise<Imported> {
  const found = await candidates(doors, given)
  if (found.length === 0) {
    throw new Problem(
      'bad_request',
      'No manifest was found. Give a JSON list, an object with items, or markdown with fenced blocks of JSON.',
    )
  }
  if (found.length > mostManifests) {
    throw new Problem(
      'bad_request',
      `At most ${mostManifests} manifests are imported at once; these are ${found.length}.`,
    )
  }
  const result: Imported = { imported: [], errors: [] }
  for (const manifest of found) {
    try {
      const one = given.test
        ? installedAs(checkManifest(doors, manifest))
        : await installManifest(doors, manifest, keyId)
      result.imported.push(one)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const name = typeof manifest.id === 'string' ? `${manifest.id.slice(0, 60)}: ` : ''
      result.errors.push({ error: name + error.message, data_keys: Object.keys(manifest).slice(0, 30) })
    }
  }
  return result
}
