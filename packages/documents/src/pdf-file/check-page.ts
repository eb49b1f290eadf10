import type { Limits } from '../base/limits.ts'
import type { PdfObjects, PdfStream, WrittenPage } from './objects.ts'
import { type Entries, readList, referred } from './values.ts'

/** What was found about a page, or about a part of one. */
export interface PageState {
  /** Something that it is drawn of is missing or not whole. */
  isDamaged: boolean
  /** Nothing but text, lines and pictures of usual size, none of which takes long to draw. */
  isPlain: boolean
  /** There may be a picture on it. */
  mayHavePictures: boolean
}

const maxDepth = 8
/** Content of a plain page, in bytes: more than a page of text takes. */
const maxPlain = 64 * 1024
const sound: PageState = { isDamaged: false, isPlain: true, mayHavePictures: false }
const unknown: PageState = { isDamaged: false, isPlain: false, mayHavePictures: true }
const missing: PageState = { ...unknown, isDamaged: true }

/** Looks at what pages are drawn of, without drawing it. */
export class PageChecker {
  readonly #objects: PdfObjects | undefined
  readonly #limits: Limits
  readonly #states: PageState[] = []
  /** Parts that several pages share, by what they are taken for. */
  readonly #known = new Map<string, PageState>()
  readonly #fonts = new Map<string, boolean>()
  readonly #pages: WrittenPage[] | undefined

  constructor(objects: PdfObjects | undefined, limits: Limits) {
    this.#objects = objects
    this.#limits = limits
    this.#pages = objects?.pages()
  }

  /** Whether a file cannot have all of its pages that are counted, or all that is on them. */
  lacksPages(count: number): boolean {
    if (!this.#objects || this.#objects.isEncrypted) return !this.#objects
    return this.#objects.isDamaged || this.#pages?.length !== count
  }

  /** Whether a page, counted from 0, is drawn of damaged data, that of its fonts included. */
  isDamaged(index: number): boolean {
    return this.look(index).isDamaged || this.#hasDamagedFont(index)
  }

  /** What a page, counted from 0, is drawn of, its embedded fonts left aside. */
  look(index: number): PageState {
    return (this.#states[index] ??= this.#look(this.#pages?.[index]))
  }

  #look(page: WrittenPage | undefined): PageState {
    if (!page) return unknown
    return joined([
      ...page.contents.map((content) => this.#content(this.#stream(content))),
      this.#resources(page.resources, 0),
      this.#annotations(page.entries.get('Annots')),
    ])
  }

  #hasDamagedFont(index: number): boolean {
    const fonts = this.#objects?.dictionary(this.#pages?.[index]?.resources.get('Font'))
    return [...(fonts?.values() ?? [])].some((font) => {
      const known = this.#fonts.get(font) ?? this.#isDamagedFont(font)
      this.#fonts.set(font, known)
      return known
    })
  }

  #isDamagedFont(font: string): boolean {
    const objects = this.#objects!
    const entries = objects.dictionary(font)
    const [inner] = readList(objects.resolve(entries?.get('DescendantFonts')) ?? '')
    const own = inner === undefined ? entries : objects.dictionary(inner)
    const parts = [entries, own, objects.dictionary(own?.get('FontDescriptor'))]
    const lacks = (value: string) => referred(value) !== undefined && objects.resolve(value) === undefined
    if (!own || parts.some((part) => [...(part?.values() ?? [])].some(lacks))) return true
    const file = ['FontFile', 'FontFile2', 'FontFile3'].map((key) => parts[2]?.get(key)).find(Boolean)
    const stream = file === undefined ? undefined : this.#stream(file)
    return file !== undefined && (!stream || objects.read(stream)?.isWhole === false)
  }

  #stream(reference: string): PdfStream | undefined {
    const number = referred(reference)
    return number === undefined ? undefined : this.#objects!.stream(number)
  }

  #content(stream: PdfStream | undefined): PageState {
    if (!stream) return missing
    const read = this.#objects!.read(stream)
    if (!read || this.#objects!.isEncrypted) return unknown
    // Pictures may be within the content itself.
    const mayHavePictures = read.data.includes('BI')
    return { isDamaged: !read.isWhole, isPlain: read.data.length <= maxPlain && !mayHavePictures, mayHavePictures }
  }

  #resources(resources: Entries, depth: number): PageState {
    const isPlain = !resources.has('Shading') && !resources.has('Pattern')
    return joined([
      { ...sound, isPlain },
      ...this.#each(resources, 'Font', (font) => this.#font(font)),
      ...this.#each(resources, 'XObject', (part) => this.#part(part, depth)),
      ...this.#each(resources, 'ExtGState', (state) => ({
        ...sound,
        isPlain: /^(\/None)?$/.test(this.#objects!.dictionary(state)?.get('SMask') ?? ''),
      })),
    ])
  }

  #each(resources: Entries, kind: string, look: (value: string) => PageState): PageState[] {
    const value = resources.get(kind)
    if (value === undefined) return []
    const entries = this.#objects!.dictionary(value)
    if (!entries) return [missing]
    return Array.from(entries.values(), (each) => {
      const name = `${kind} ${each}`
      const known = this.#known.get(name) ?? look(each)
      this.#known.set(name, known)
      return known
    })
  }

  #font(font: string): PageState {
    const entries = this.#objects!.dictionary(font)
    return entries ? { ...sound, isPlain: entries.get('Subtype') !== '/Type3' } : missing
  }

  /** A picture, or content of its own with its own resources. */
  #part(part: string, depth: number): PageState {
    const stream = this.#stream(part)
    if (!stream) return missing
    const { entries } = stream
    if (entries.get('Subtype') === '/Image') {
      const [width, height] = ['Width', 'Height'].map((key) => Number(this.#objects!.resolve(entries.get(key))))
      return { ...unknown, isPlain: width! * height! <= this.#limits.pixels }
    }
    // One that draws itself.
    this.#known.set(`XObject ${part}`, unknown)
    const resources = depth < maxDepth ? this.#objects!.dictionary(entries.get('Resources')) : undefined
    const { isDamaged } = joined([
      this.#content(stream),
      this.#resources(resources ?? new Map<string, string>(), depth + 1),
    ])
    return { ...unknown, isDamaged }
  }

  #annotations(value: string | undefined): PageState {
    if (value === undefined) return sound
    const list = this.#objects!.resolve(value)
    return list === undefined ? missing : joined(readList(list).map((annotation) => this.#annotation(annotation)))
  }

  /** What an annotation looks like: the one look it has, or those of its states. */
  #annotation(value: string): PageState {
    const entries = this.#objects!.dictionary(value)
    if (!entries?.has('AP')) return entries ? sound : missing
    const look = this.#objects!.dictionary(entries.get('AP'))?.get('N') ?? ''
    if (this.#stream(look)) return this.#part(look, 0)
    return this.#objects!.dictionary(look) ? unknown : missing
  }
}

const joined = (parts: readonly PageState[]): PageState => ({
  isDamaged: parts.some((part) => part.isDamaged),
  isPlain: parts.every((part) => part.isPlain),
  mayHavePictures: parts.some((part) => part.mayHavePictures),
})
