import type { Bitmap } from '../raster/bitmap.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import type { FaxPage } from '../raster/page-notes.ts'
import { dotsDown } from '../raster/paper.ts'
import { turnOver } from './orientation.ts'
import { isBlankPage, isWanted, notesOfBlanks, notesOfTidying, type Tidying, tidyPage } from './tidy-page.ts'

/**
 * The same pages, those of scans tidied. On the paper of a fax machine a page that lies on its side stays as it is:
 * turned, it would become smaller. A document of nothing but blank pages keeps them.
 */
export async function withTidying(pages: FaxPages, tidying: Tidying | undefined): Promise<FaxPages> {
  if (!isWanted(tidying)) return pages
  const isScan = (index: number) => pages.isScan?.(index) ?? false
  const all = [...pages.sizes.keys()]
  const blank = tidying.dropBlank ? await blankOnes(pages, all.filter(isScan)) : []
  const kept = blank.length < all.length ? all.filter((index) => !blank.includes(index)) : all
  const left = all.filter((index) => !kept.includes(index))
  const numberOf = new Map(kept.map((index, at) => [index + 1, at + 1]))
  const done = new Map<number, ReturnType<typeof notesOfTidying>>()
  return {
    ...pages,
    sizes: kept.map((index) => pages.sizes[index]!),
    notes: [
      ...(pages.notes ?? []).flatMap((note) => {
        const page = numberOf.get(note.page)
        return page === undefined ? [] : [{ ...note, page }]
      }),
      ...notesOfBlanks(left.map((index) => index + 1)),
    ],
    async render(at, resolution, tones) {
      const page = await pages.render(kept[at]!, resolution, tones)
      if (!isScan(kept[at]!)) return page
      const tidy = tidyPage(page, dotsDown[resolution], tidying)
      const turns = tidy.turns === 2 ? 2 : 0
      done.set(at, notesOfTidying(at + 1, { ...tidy, turns }))
      return turns === 2 ? turnedOver(page, tidy.bitmap) : { ...page, ...tidy.bitmap }
    },
    // What a scanner read of a page stands where the page lay.
    words: (at) => (isScan(kept[at]!) ? undefined : pages.words?.(kept[at]!)),
    notesOn: (at) => [
      ...(pages.notesOn?.(kept[at]!) ?? []),
      ...(done.get(at) ?? []).map(({ kind, text }) => ({ kind, text })),
    ],
  }
}

/** What was found on the page lies on the other side of it now. */
function turnedOver({ lost, isBlank }: FaxPage, bitmap: Bitmap): FaxPage {
  const { width, height } = bitmap
  const places = lost?.map((place) => ({
    ...place,
    left: width - place.left - place.width,
    top: height - place.top - place.height,
  }))
  return { ...turnOver(bitmap), ...(isBlank ? { isBlank } : {}), ...(places ? { lost: places } : {}) }
}

async function blankOnes(pages: FaxPages, scans: readonly number[]): Promise<number[]> {
  const blank: number[] = []
  for (const index of scans) if (isBlankPage(await pages.render(index, 'fine', 'text'))) blank.push(index)
  return blank
}
