import { z } from 'zod'
import { misleading } from './labels.ts'

/** An instant: ISO 8601 in UTC with a `Z`. */
export const instant = z.iso.datetime({ precision: 3 })
/** Ids of jobs and received faxes: 32 lower-case hex characters. */
export const faxId = z.string().regex(/^[0-9a-f]{32}$/, 'An id is 32 hex characters.')
export const byId = z.object({ id: faxId })
export const groupId = z.string().regex(/^[0-9a-f]{12}$/, 'The id of a group is 12 hex characters.')
/** The group that a fax is sent for. Without it, the only one that its sender is in. */
export const sentForGroup = { group_id: groupId.optional() }
export const pageOf = z.object({ id: faxId, page: z.coerce.number().int().min(1).max(10_000) })
export const pageWidth = z.object({ width: z.coerce.number().int().min(64).max(1728).optional() })
/** What a document is, by its content. */
export const documentKind = z.enum([
  'pdf',
  'text',
  'png',
  'jpeg',
  'tiff',
  'gif',
  'webp',
  'avif',
  'heic',
  'bmp',
  'html',
  'docx',
  'odt',
  'rtf',
  'eml',
  'msg',
])
/** What a page is made black and white for: type, a photograph, or each part of it for what it is. */
export const tones = z.enum(['auto', 'text', 'photo'])
export type Tones = z.infer<typeof tones>
/** What happens to a fax whose pages lose writing: it is not sent, or it is sent with a note. */
export const unreadable = z.enum(['refuse', 'send'])
export type Unreadable = z.infer<typeof unreadable>
/** A field of a form: the number is meant even if it is most likely nobody's. */
export const allowUnlikelyNumber = z.enum(['true', 'false']).default('false')
/** How a fax is sent again. */
export const resendChoice = z
  .object({
    unreadable: unreadable.optional(),
    allow_unlikely_number: z.boolean().optional(),
    /** Send another copy although one was delivered or is under way, or the number has no fax. */
    force: z.boolean().optional(),
  })
  .default({})
export type ResendChoice = z.infer<typeof resendChoice>
/** Decides again about pages that lose writing; without it, the first decision holds. */
export const unreadableChoice = z.object({ unreadable: unreadable.optional() }).default({})
const share = z.number().min(0).max(1)
/** A place on a page, in shares of its width and height. */
export const place = z.object({ left: share, top: share, width: share, height: share })
/** A barcode or matrix code on the first page. */
export const pageCode = z.object({
  /** Its kind: `QRCode`, `Code128`, `DataMatrix`, `PDF417`, `EAN13` and others. */
  format: z.string(),
  text: z.string(),
})
export type PageCode = z.infer<typeof pageCode>
/** What the check of a page found. */
export const pageNote = z.object({
  /** Counted from 1. */
  page: z.number().int(),
  kind: z.enum(['missing_letters', 'lost_writing', 'blank_page', 'shrunk', 'split', 'repaired', 'left_out', 'tidied']),
  sentence: z.string(),
  /** Where, in shares of the page's width and height; empty when it is the whole page. */
  places: z.array(place),
})
export type PageNote = z.infer<typeof pageNote>
/** The cover pages there are; `none` also where the settings name one. */
export const coverTemplate = z.enum(['none', 'plain', 'formal', 'confidential'])
export type CoverTemplate = z.infer<typeof coverTemplate>
/** The cover page that is page 1 of a fax; null if there is none, or if the document was removed. */
export const coverOfFax = coverTemplate.exclude(['none']).nullable()

/** A day, or an instant. */
export const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
/** The word of a list that was written in whatever case; what is none of them stays as it is. */
const spelled = (words: readonly string[]) => (given: unknown) =>
  words.find((word) => typeof given === 'string' && word.toLowerCase() === given.toLowerCase()) ?? given

/** One of these words, in whatever case it is written. */
export function anyCase<const W extends string>(words: readonly W[]): z.ZodType<W, W> {
  return z.preprocess(spelled(words), z.enum(words)) as unknown as z.ZodType<W, W>
}

/** One or several of these words, separated by commas or given more than once. Several are an array. */
export function anyOf<const W extends string>(words: readonly W[]): z.ZodType<W | W[], W | W[]> {
  const listed = (given: unknown) =>
    [given].flat().flatMap((one) => (typeof one === 'string' ? one.split(',').map((word) => word.trim()) : [one]))
  const several = z.array(z.preprocess(spelled(words), z.enum(words)))
  const once = several.transform((given) => [...new Set(given)])
  return z.preprocess(
    listed,
    once.transform((given) => (given.length === 1 ? given[0] : given)),
  ) as unknown as z.ZodType<W | W[], W>
}
/** A name that people give to something and recognize it by: it has no characters that cannot be seen. */
export const givenName = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((name) => !misleading.test(name), {
      error: 'It contains an invisible character that may change how it reads. Type it again.',
    })
const coverText = (max: number) => z.string().trim().max(max, `It can have at most ${max} characters`).optional()
/** What a cover page says; without `cover` it is the one that the settings name. Absent and empty are the same. */
export const coverFields = z.object({
  cover: coverTemplate.optional(),
  /** The person or office that the fax is for. */
  cover_to: coverText(200),
  /** Who sends it; the name on the header line when it is not given. */
  cover_from: coverText(200),
  cover_subject: coverText(200),
  /** May have several lines, as many as fit on the page. */
  cover_note: coverText(2000),
})
export type CoverFields = z.infer<typeof coverFields>
/** The answer of calls that only say that they were carried out. */
export const done = z.object({ ok: z.literal(true) })
/** A free map whose shape belongs to somebody else. */
export const anything = z.record(z.string(), z.unknown())

/** What one check found. */
export const finding = z.object({
  group: z.string(),
  check: z.string(),
  passed: z.boolean(),
  /** `info`: nothing to be done about, or another finding says what. */
  severity: z.enum(['critical', 'warning', 'info']),
  /** Of a failed check: what is wrong and what to do. Null when there is nothing to say. */
  sentence: z.string().nullable(),
  /** What was seen, when that helps. */
  detail: z.string().nullable(),
  /** Payload key of the setting to go to. */
  setting: z.string().nullable(),
})
export type Finding = z.infer<typeof finding>

/** Every error answer: the members of RFC 9457, and `code`, `request_id` and `fields` as extensions. */
export const problemReply = z.object({
  /** `urn:faxdeck:problem:` and the code: names the kind of problem, and cannot be opened. */
  type: z.string(),
  /** The kind of problem in a few words, the same each time. */
  title: z.string(),
  /** The HTTP status. */
  status: z.number().int(),
  /** What happened this time and what to do. */
  detail: z.string(),
  /** `urn:faxdeck:request:` and the request id. */
  instance: z.string(),
  /** For programs to decide by. */
  code: z.string(),
  /** The same as in the header X-Request-Id, and on the lines of the gateway's log. */
  request_id: z.string(),
  /** What is wrong with which field, of a call whose fields are not valid. */
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type ProblemReply = z.infer<typeof problemReply>

const opening = z.object({
  person_id: z.string(),
  name: z.string(),
  reason: z.string(),
  opened_at: instant,
  until: instant,
})
/** Somebody opened a fax outside of their groups. */
export type Opening = z.infer<typeof opening>

/** Who opened the fax outside of their groups by giving a reason, oldest first. */
export const openings = z.array(opening)
