import type { PlacedNote } from '../raster/page-notes.ts'
import type { TidyPage } from './tidy-page.ts'

const turned = ['', 'rotated 90° clockwise', 'rotated 180°', 'rotated 90° counterclockwise']

/** What was done to a page, counted from 1, in a sentence; none when it is as it was. */
export function notesOfTidying(page: number, { turns, degrees, hasLostSpecks }: TidyPage): PlacedNote[] {
  const done = [
    ...(turns === 0 ? [] : [turned[turns]]),
    ...(degrees === 0 ? [] : [`straightened by ${Math.abs(degrees).toFixed(1)} degrees`]),
    ...(hasLostSpecks ? ['cleaned of specks'] : []),
  ]
  if (done.length === 0) return []
  const last = done.pop()
  const text = done.length === 0 ? last : `${done.join(', ')} and ${last}`
  return [{ page, kind: 'tidied', text: `Page ${page} was ${text}. The original is kept.` }]
}

/** Pages that were left out because nothing is on them. */
export function notesOfBlanks(pages: readonly number[]): PlacedNote[] {
  const [first] = pages
  if (first === undefined) return []
  const named =
    pages.length === 1 ? `Page ${first} of the original is` : `Pages ${pages.join(', ')} of the original are`
  return [{ page: 1, kind: 'tidied', text: `${named} blank and left out. The original is kept.` }]
}
