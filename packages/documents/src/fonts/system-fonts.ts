import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { hasSoundOutline } from './harfbuzz.ts'
import { advanceOf, countFaces, familyOf, type Font, mapped, type MappedFont, readFont, unitsPerEm } from './font.ts'
import { fontNamesOf, isScript, type Script, scriptOf } from './scripts.ts'
import { type Region, regionOf, regionOfFamily } from './region.ts'

/** Folders of this user. One without a name in the system, as a container may have, has no home. */
function ownFolders(): string[] {
  try {
    return ['.fonts', '.local/share/fonts'].map((name) => join(homedir(), name))
  } catch {
    return []
  }
}

/** Where systems keep their fonts: Linux, macOS, Windows. */
const usualFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  ...ownFolders(),
  '/Library/Fonts',
  '/System/Library/Fonts',
  'C:\\Windows\\Fonts',
]

/** Fonts of Chinese, Japanese and Korean by the beginnings of their files' names, those with the most characters first. */
const eastAsianFonts = [
  ...['notosanscjk-regular', 'sourcehansans-regular', 'notosanscjk', 'sourcehansans', 'notoserifcjk-regular'],
  ...['droidsansfallback', 'wqy-', 'arialuni', 'arial unicode', 'uming', 'ukai', 'simsun', 'msyh', 'stheiti', 'songti'],
  ...['notosanssc', 'notosanstc', 'notosansjp', 'notosanskr', 'ipag', 'ipaexg', 'takaog', 'vl-gothic', 'msgothic'],
  ...['meiryo', 'yugoth', 'nanumgothic', 'malgun', 'applegothic', 'unifont'],
]
const fontFile = /^\.(ttf|ttc|otf|otc)$/i

const max = { depth: 4, fonts: 12, faces: 32, bytes: 48 * 1024 * 1024 }

/** A glyph and the place of its font in `systemFonts`. */
interface SystemGlyph {
  index: number
  glyph: number
  /** In units of the bundled fonts. */
  advance: number
}

/** What fonts are looked for: those of a region, of a script, or any of Chinese, Japanese and Korean. */
type Wanted = Region | Script | undefined

/** The fonts for a region or a script, by their places in `opened`, and what was found in them. */
interface Shelf {
  wanted: Wanted
  waiting?: string[]
  fonts: number[]
  found: Map<number, SystemGlyph | undefined>
}

/** Files that were read, because a collection serves several regions, and the fonts of all shelves. */
interface InUse {
  folder: string | undefined
  files: Map<string, Buffer>
  shelves: Map<Wanted, Shelf>
  opened: MappedFont[]
  /** By region and path. */
  places: Map<string, number>
}

let inUse: InUse | undefined
let shelf = newShelf(undefined)

function newShelf(wanted: Wanted): Shelf {
  return { wanted, fonts: [], found: new Map() }
}

/**
 * Has characters that no bundled font has looked up in the fonts of `folder`, or, when that is undefined, in the usual
 * folders of this machine. Without this call no other font is ever opened: reading one takes a while, so only workers do.
 */
export function useSystemFonts(folder: string | undefined): void {
  if (inUse && inUse.folder === folder) return
  shelf = newShelf(undefined)
  inUse = { folder, files: new Map(), shelves: new Map([[undefined, shelf]]), opened: [], places: new Map() }
}

/** Has a text set, until the next call, with the fonts and the forms of characters of its region. */
export function chooseFonts(text: string): void {
  if (!inUse) return
  shelf = shelfOf(regionOf(text))
}

function shelfOf(wanted: Wanted): Shelf {
  const known = inUse?.shelves.get(wanted) ?? newShelf(wanted)
  inUse?.shelves.set(wanted, known)
  return known
}

/** A frequent character that fonts of each region have. */
const typical: Record<Region, string> = { JP: 'あ', KR: '가', SC: '们', TC: '們' }

/** The first font of this machine that is made for a region, else the first that has its characters. */
export function systemFontOf(region: Region): MappedFont | undefined {
  const before = shelf
  shelf = shelfOf(region)
  try {
    const found = systemGlyph(typical[region].codePointAt(0) ?? 0)
    return found && systemFonts()[found.index]
  } finally {
    shelf = before
  }
}

/** The first font that has a character with a sound outline; opens fonts one after the other until one does. */
export function systemGlyph(codePoint: number): SystemGlyph | undefined {
  const script = scriptOf(codePoint)
  return (script && glyphIn(shelfOf(script), codePoint)) ?? glyphIn(shelf, codePoint)
}

function glyphIn(from: Shelf, codePoint: number): SystemGlyph | undefined {
  if (!from.found.has(codePoint)) from.found.set(codePoint, findGlyph(from, codePoint))
  return from.found.get(codePoint)
}

function findGlyph(from: Shelf, codePoint: number): SystemGlyph | undefined {
  for (const index of fontsOn(from)) {
    const font = systemFonts()[index]
    const glyph = font?.glyphs.get(codePoint)
    if (!font || glyph === undefined || !isDrawable(font, glyph)) continue
    return { index, glyph, advance: (advanceOf(font, glyph) * unitsPerEm) / font.unitsPerEm }
  }
  return undefined
}

/** The places in `systemFonts` of those for the script of a character; they are opened one after the other. */
export function systemFontsFor(codePoint: number): Iterable<number> {
  return fontsOn(shelfOf(scriptOf(codePoint)))
}

function* fontsOn(from: Shelf): Generator<number> {
  for (let at = 0; at < from.fonts.length || openNext(from); at++) yield from.fonts[at]!
}

/** Whether a glyph of a font can be drawn. */
export const isDrawable = (font: Font, glyph: number) => !font.cff || hasSoundOutline(font, glyph)

const none: readonly MappedFont[] = []

/** The fonts opened so far; where one stands does not change. */
export function systemFonts(): readonly MappedFont[] {
  return inUse?.opened ?? none
}

/** Opens the next font that can be read, with a warning about those that cannot; false when there is none left. */
function openNext(from: Shelf): boolean {
  if (!inUse) return false
  const waiting = (from.waiting ??= findFonts(inUse.folder, from.wanted))
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    try {
      from.fonts.push(placeOf(inUse, path, from.wanted))
      return true
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      process.emitWarning(`The font ${path} cannot be used for faxes. ${reason}`)
    }
  }
  return false
}

/** The place of a font in `opened`: several shelves may have the same. */
function placeOf(fonts: InUse, path: string, wanted: Wanted): number {
  const region = isScript(wanted) ? undefined : wanted
  const key = `${region ?? ''} ${path}`
  const place = fonts.places.get(key) ?? fonts.opened.push(openSystemFont(path, fonts.files, region)) - 1
  fonts.places.set(key, place)
  return place
}

function openSystemFont(path: string, files: Map<string, Buffer>, region: Region | undefined): MappedFont {
  if (statSync(path).size > max.bytes) throw new Error('It is too large.')
  const name = basename(path, extname(path)).replace(/[^A-Za-z0-9-]/g, '')
  const bytes = files.get(path) ?? readFileSync(path)
  const font = faceFor(region, name, bytes)
  files.set(path, bytes)
  return mapped(font)
}

/** The font of a region in a collection, which has one for each; else the first. */
function faceFor(region: Region | undefined, name: string, bytes: Buffer): Font {
  const first = readFont(name, bytes)
  if (region === undefined) return first
  for (let face = 0; face < Math.min(countFaces(bytes), max.faces); face++) {
    const font = face === 0 ? first : readFont(name, bytes, face)
    if (regionOfFamily(familyOf(font)) === region) return font
  }
  return first
}

/**
 * The files to look into: those that are made for another region come last, regular type before bold. Of a folder that
 * was named, all, those for a script first.
 */
function findFonts(folder: string | undefined, wanted: Wanted): string[] {
  const names = isScript(wanted) ? fontNamesOf(wanted) : eastAsianFonts
  const rankOf = (path: string) => {
    const name = basename(path).toLowerCase()
    return names.findIndex((beginning) => name.startsWith(beginning))
  }
  const isOther = (path: string) => isScript(wanted) && rankOf(path) < 0
  const isForeign = (path: string) => {
    const made = regionOfFamily(basename(path).replace(/[-_.[].*$/, ''))
    return made !== undefined && wanted !== undefined && !isScript(wanted) && made !== wanted
  }
  const paths =
    folder === undefined
      ? usualFolders.flatMap((path) => fontsIn(path, max.depth)).filter((path) => rankOf(path) >= 0)
      : fontsIn(folder, max.depth)
  const lateness = (path: string) => 1000 * Number(isForeign(path) || isOther(path)) + rankOf(path)
  return paths.sort((a, b) => lateness(a) - lateness(b)).slice(0, max.fonts)
}

function fontsIn(path: string, depth: number): string[] {
  const entries = (() => {
    try {
      return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch {
      return []
    }
  })()
  return entries.flatMap((entry) => {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) return depth > 0 ? fontsIn(inside, depth - 1) : []
    return fontFile.test(extname(entry.name)) ? [inside] : []
  })
}
