/** A page before the document. What is not given is left out. */
export interface Cover {
  /** `none` also where the gateway's settings name a cover page for every fax. */
  template: 'plain' | 'formal' | 'confidential' | 'none'
  /** The person or office that the fax is for. */
  to?: string
  /** Who sends it; the name on the gateway's header line when it is not given. */
  from?: string
  subject?: string
  /** May have several lines, as many as fit on the page. */
  note?: string
}

/** How a document looks on the line. */
export interface Looks {
  /** What its pages are made black and white for; each part for what it is when it is not given. */
  tones?: 'auto' | 'text' | 'photo'
  cover?: Cover
}

/** What happens to a fax with a page that loses writing: it fails, or it is sent and its notes say so. */
export type Unreadable = 'refuse' | 'send'

/** Whether the number is meant. */
export interface Meant {
  /** Dials a number that most likely does not exist, which is otherwise refused with the code `number_unlikely`. */
  allowUnlikelyNumber?: boolean | undefined
}

/** What your program calls a fax and finds it again by: in its answers, lists, events and webhooks. Never in a log. */
export interface Labels {
  /** At most 200 characters, such as your order number. */
  reference?: string
  /** Up to 20 pairs; names of 1 to 40 letters, digits, dots, hyphens and underscores, values of at most 200 characters. */
  metadata?: Record<string, string>
}

/** The form of a document with its number, where there is one, and the fields that say how it looks. */
export function formOf(
  file: File,
  {
    to,
    tones,
    unreadable,
    allowUnlikelyNumber,
    cover,
    reference,
    metadata,
  }: Looks & Labels & Meant & { to?: string; unreadable?: Unreadable | undefined },
): FormData {
  const form = new FormData()
  const fields = {
    to,
    tones,
    unreadable,
    allow_unlikely_number: allowUnlikelyNumber ? 'true' : undefined,
    cover: cover?.template,
    cover_to: cover?.to,
    cover_from: cover?.from,
    cover_subject: cover?.subject,
    cover_note: cover?.note,
    reference,
    metadata: metadata && JSON.stringify(metadata),
  }
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  form.set('file', file)
  return form
}
