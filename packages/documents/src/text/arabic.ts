import type { Letter } from './direction.ts'

/** Forms of one Arabic letter by its neighbors: isolated, final, and for letters joined on both sides initial, medial. */
type Forms = readonly number[]

const lam = 0x0644
/** Tatweel and zero width joiner: joined on both sides without a form of their own. */
const joiners = new Set([0x0640, 0x200d])

/** Presentation forms by letter, and lam-alef ligatures by alef: [isolated, final]. */
const { forms, ligatures } = collectForms()

/**
 * Unicode lists the forms of each letter next to each other in the order isolated, final, initial, medial
 * (Arabic Presentation Forms-B, then -A for the letters of other languages) and decomposes each to its letter.
 */
function collectForms(): { forms: Map<number, Forms>; ligatures: Map<number, Forms> } {
  const letters = new Map<string, number[]>()
  for (const [first, last] of [
    [0xfe80, 0xfefc],
    [0xfb50, 0xfbff],
  ] as const) {
    const known = new Set(letters.keys())
    for (let form = first; form <= last; form++) {
      const letter = String.fromCodePoint(form).normalize('NFKC')
      if (!known.has(letter)) letters.set(letter, [...(letters.get(letter) ?? []), form])
    }
  }
  const single = [...letters].filter(([letter]) => letter.length === 1)
  const withLam = [...letters].filter(([letter]) => letter.length === 2 && letter.codePointAt(0) === lam)
  return {
    forms: new Map(single.map(([letter, found]) => [letter.codePointAt(0)!, found])),
    ligatures: new Map(withLam.map(([letter, found]) => [letter.codePointAt(1)!, found])),
  }
}

const joinsBefore = (codePoint: number) => joiners.has(codePoint) || (forms.get(codePoint)?.length ?? 0) >= 2
const joinsAfter = (codePoint: number) => joiners.has(codePoint) || (forms.get(codePoint)?.length ?? 0) === 4

/**
 * Replaces Arabic letters, in reading order, by the form that joins them to their neighbors, and lam followed by alef
 * by their ligature (The Unicode Standard, 9.2). `has` says whether the font has a shape for a form.
 */
export function joinArabic(text: readonly Letter[], has: (codePoint: number) => boolean): Letter[] {
  const joined: Letter[] = []
  for (let index = 0; index < text.length; index++) {
    const letter = text[index]!
    const next = text[index + 1]
    const linked = joinsAfter(text[index - 1]?.codePoint ?? 0) && joinsBefore(letter.codePoint) ? 1 : 0
    const ligature = letter.codePoint === lam ? ligatures.get(next?.codePoint ?? 0)?.[linked] : undefined
    if (ligature !== undefined && next && has(ligature)) {
      joined.push({ codePoint: ligature, marks: [...letter.marks, ...next.marks] })
      index++
      continue
    }
    const onward = joinsAfter(letter.codePoint) && joinsBefore(next?.codePoint ?? 0) ? 2 : 0
    const form = forms.get(letter.codePoint)?.[linked + onward]
    joined.push(form !== undefined && has(form) ? { ...letter, codePoint: form } : letter)
  }
  return joined
}
