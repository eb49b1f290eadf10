import { type CoverFields, coverTemplate, tones, type Unreadable, unreadable } from '@faxdeck/contract'
import { flag, type Given, option } from '../../command.ts'
import { oneOf, usageFault } from '../../fault.ts'

/** What the pages of a fax are made like. */
export const pageOptions = {
  tones: option('<kind>', 'How pages are converted to black and white.', { choices: tones.options }),
  cover: option('<template>', 'The cover page to add.', { choices: coverTemplate.options }),
  'cover-to': option('<name>', 'The recipient named on the cover page.'),
  'cover-from': option('<name>', 'The sender named on the cover page.'),
  'cover-subject': option('<text>', 'The subject on the cover page.'),
  'cover-note': option('<text>', 'A note on the cover page.'),
} as const

/** What your own programs call the fax. */
export const labelOptions = {
  reference: option('<text>', 'Your own name for the fax, such as an order number.'),
  metadata: option('<name=value>', 'A pair for finding the fax again; can be repeated, up to 20 times.', {
    multiple: true,
  }),
} as const

/**
 * The labels that were given.
 * @throws {Fault} for a pair that is not valid
 */
export function labelsOf({ reference, metadata = [] }: Given<typeof labelOptions>['options']): {
  reference?: string
  metadata?: string
} {
  const pairs = metadata.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw usageFault(`"${pair}" is not a pair. Write --metadata name=value.`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(pairs.length === 0 ? {} : { metadata: JSON.stringify(Object.fromEntries(pairs)) }),
  }
}

/** Full numbers are shown only on request: terminals are recorded and looked at. */
export const numbersOption = flag('Show numbers in full.')

export const repeatOption = option(
  '<text>',
  'Repeating the command with the same key returns the same faxes. By default, each run gets a new key.',
)

/** What happens to pages that lose writing. */
export const unreadableOption = {
  unreadable: option(
    '<choice>',
    'With a page that loses writing, where Faxdeck draws it: refuse it, or send it with a note.',
    { choices: unreadable.options },
  ),
} as const

/** What was chosen; nothing when nothing was. */
export function unreadableOf({ unreadable: given }: { unreadable?: string | undefined }): { unreadable?: Unreadable } {
  return given === undefined ? {} : { unreadable: choiceOf('unreadable', given, unreadable.options) }
}

/** The number is meant even if it most likely does not exist. */
export const unlikelyOption = {
  'allow-unlikely-number': flag('Dial a number that most likely does not exist. Without this option, it is refused.'),
} as const

interface UnlikelyGiven {
  'allow-unlikely-number'?: boolean | undefined
}

/** As a field of a form; nothing when it was not given. */
export const unlikelyField = (given: UnlikelyGiven) =>
  given['allow-unlikely-number'] ? ({ allow_unlikely_number: 'true' } as const) : {}

/** In the body of a call; nothing when it was not given. */
export const unlikelyChoice = (given: UnlikelyGiven) =>
  given['allow-unlikely-number'] ? { allow_unlikely_number: true } : {}

type PageFields = CoverFields & { tones?: 'auto' | 'text' | 'photo' }

const choiceOf = <T extends string>(option: string, given: string, choices: readonly T[]): T =>
  oneOf(choices, given, `--${option} is one of ${choices.join(', ')}.`)

/** The fields of a submission that the options stand for; what was not given is absent. */
export function pageFieldsOf(options: Given<typeof pageOptions>['options']): PageFields {
  const given = {
    tones: options.tones === undefined ? undefined : choiceOf('tones', options.tones, tones.options),
    cover: options.cover === undefined ? undefined : choiceOf('cover', options.cover, coverTemplate.options),
    cover_to: options['cover-to'],
    cover_from: options['cover-from'],
    cover_subject: options['cover-subject'],
    cover_note: options['cover-note'],
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
