import { z } from 'zod'

/** Controls, line ends, and what turns the direction of writing (Unicode, UAX #9). */
export const misleading = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

const plain = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !misleading.test(text), { error: 'It contains an invisible character. Type it again.' })

/** What the sender’s program calls a fax: an order number, the id of a letter. */
export const reference = plain(200)

/** The most pairs that a fax carries. */
const maxPairs = 20
const metadataName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,40}$/, 'A name has 1 to 40 letters, digits, dots, hyphens and underscores.')
const metadataValue = plain(200)

/** What else the sender’s program wants to find again with a fax: short pairs of names and texts. */
export const metadata = z
  .record(metadataName, metadataValue)
  .refine((pairs) => Object.keys(pairs).length <= maxPairs, { error: `It must have at most ${maxPairs} pairs.` })
export type Metadata = z.infer<typeof metadata>

/** Metadata as a field of a form: a JSON object. Empty is the same as absent. */
const metadataField = z
  .string()
  .max(20_000)
  .transform((text, context): unknown => {
    if (text.trim() === '') return {}
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'It must be a JSON object, such as {"order":"4711"}.' })
      return z.NEVER
    }
  })
  .pipe(metadata)
  .optional()

/** The labels that a fax is sent with. */
export const labelFields = z.object({ reference: reference.optional(), metadata: metadataField })
export interface Labels {
  /** Null when it has none. */
  reference: string | null
  metadata: Metadata
}

const pairFilter = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,40}:.*$/s, 'Write it as name:value, such as order:4711.')
  .max(260)
/** A filter for one pair, `name:value`, or for several. */
export const metadataFilter = z.preprocess((given) => [given].flat(), z.array(pairFilter).max(maxPairs)) as z.ZodType<
  string[],
  string | string[]
>

/** The labels of a fax in an answer. */
export const labelsOfFax = { reference: z.string().nullable(), metadata: z.record(z.string(), z.string()) }
