import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { flattenOutline } from './cff-outline.ts'
import { advanceOf, eachCharacter, readFont, unitsPerEm } from './font.ts'
import type { Font } from './font.ts'

/** A font of this machine with the glyph of each of its characters. */
export interface SystemFont extends Font {
  glyphs: Map<number, number>
}

/** Where systems keep their fonts: Linux, macOS, Windows. */
const usualFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local/share/fonts'),
  '/Library/Fonts',
  '/System/Library/Fonts',
  'C:\\Windows\\Fonts',
]

/** Fonts of Chinese, Japanese and Korean by the beginnings of their files' names, those with the most characters first. */
const wanted = [
  ...['notosanscjk-regular', 'sourcehansans-regular', 'notosanscjk', 'sourcehansans', 'notoserifcjk-regular'],
  ...['droidsansfallback', 'wqy-', 'arialuni', 'arial unicode', 'uming', 'ukai', 'simsun', 'msyh', 'stheiti', 'songti'],
  ...['notosanssc', 'notosanstc', 'notosansjp', 'notosanskr', 'ipag', 'ipaexg', 'takaog', 'vl-gothic', 'msgothic'],
  ...['meiryo', 'yugoth', 'nanumgothic', 'malgun', 'applegothic', 'unifont'],
]
const fontFile = /^\.(ttf|ttc|otf|otc)$/i

const most = { depth: 4, fonts: 12, bytes: 48 * 1024 * 1024 }

/** A glyph and the place of its font in `systemFonts`. */
interface SystemGlyph {
  index: number
  glyph: number
  /** In units of the bundled fonts. */
  advance: number
}

let inUse: { folder: string | undefined; waiting?: string[] } | undefined
let opened: SystemFont[] = []
let found = new Map<number, SystemGlyph | undefined>()

/**
 * Has characters that no bundled font has looked up in the fonts of `folder`, or, when that is undefined, in the usual
 * folders of this machine. Without this call no other font is ever opened: reading one takes a while, so only workers do.
 */
export function useSystemFonts(folder: string | undefined): void {
  if (inUse && inUse.folder === folder) return
  inUse = { folder }
  opened = []
  found = new Map()
}

/** The first font that has a character with a sound outline; opens fonts one after the other until one does. */
export function systemGlyph(codePoint: number): SystemGlyph | undefined {
  if (!found.has(codePoint)) found.set(codePoint, findGlyph(codePoint))
  return found.get(codePoint)
}

function findGlyph(codePoint: number): SystemGlyph | undefined {
  for (let index = 0; index < opened.length || openNext(); index++) {
    const font = opened[index]
    const glyph = font?.glyphs.get(codePoint)
    if (!font || glyph === undefined || !isDrawable(font, glyph)) continue
    return { index, glyph, advance: (advanceOf(font, glyph) * unitsPerEm) / font.unitsPerEm }
  }
  return undefined
}

/** PostScript outlines are programs, which may be damaged one by one. */
function isDrawable({ cff }: Font, glyph: number): boolean {
  try {
    return !cff || flattenOutline(cff, glyph).length > 0
  } catch {
    return false
  }
}

/** The fonts opened so far. */
export function systemFonts(): readonly SystemFont[] {
  return opened
}

/** Opens the next font that can be read, with a warning about those that cannot; false when there is none left. */
function openNext(): boolean {
  if (!inUse) return false
  const waiting = (inUse.waiting ??= findFonts(inUse.folder))
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    try {
      opened.push(openSystemFont(path))
      return true
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      process.emitWarning(`The font ${path} cannot be used for faxes. ${reason}`)
    }
  }
  return false
}

function openSystemFont(path: string): SystemFont {
  if (statSync(path).size > most.bytes) throw new Error('It is too large.')
  const name = basename(path, extname(path)).replace(/[^A-Za-z0-9-]/g, '')
  const font = readFont(name, readFileSync(path))
  const glyphs = new Map<number, number>()
  eachCharacter(font, (codePoint, glyph) => {
    if (glyph > 0 && glyph < font.glyphCount) glyphs.set(codePoint, glyph)
  })
  return { ...font, glyphs }
}

function findFonts(folder: string | undefined): string[] {
  if (folder !== undefined) return fontsIn(folder, most.depth).slice(0, most.fonts)
  const known = usualFolders.flatMap((path) => fontsIn(path, most.depth)).filter((path) => rankOf(path) >= 0)
  return known.sort((a, b) => rankOf(a) - rankOf(b)).slice(0, most.fonts)
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

/** Place of a font among the wanted ones, -1 for others. */
function rankOf(path: string): number {
  const name = basename(path).toLowerCase()
  return wanted.findIndex((beginning) => name.startsWith(beginning))
}
