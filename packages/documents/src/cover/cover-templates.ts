import { banner, type Block, boxed, boxedWidth, columns, fact, rule, space, type, words } from './cover-blocks.ts'

export type CoverTemplate = 'plain' | 'formal' | 'confidential'

/** What a cover page says, in words that are ready to be read. What is null is left out. */
export interface Cover {
  template: CoverTemplate
  to: string | null
  /** Where the fax goes. */
  toNumber: string | null
  from: string | null
  /** Of the machine that sends. */
  fromNumber: string | null
  subject: string | null
  /** May have several paragraphs. */
  note: string | null
  date: string
}

/** A cover page before it is set. */
export interface CoverParts {
  /** From the top. */
  body: readonly Block[]
  /** At the bottom. */
  foot: readonly Block[]
}

type Fact = readonly [label: string, value: string | null]
type Said = readonly [label: string, value: string]

const askForReturn =
  'This fax is meant only for the person or office named above. If it reached you by mistake, please tell the sender and destroy it.'
const healthNotice =
  'These pages may hold health information about a person that federal and state law keep private, among them the HIPAA rules (45 CFR Parts 160 and 164). They are meant only for the person or office named above. If you are anyone else, you may not read, copy, pass on or act on them. If they reached you by mistake, please tell the sender at once, and destroy every page.'

const countInWords = (pages: number) => `${pages}, this one included`
const isSaid = (fact: Fact): fact is Said => fact[1] !== null

function factsOf(cover: Cover, pages: number) {
  return {
    to: ['To', cover.to],
    toNumber: ['To fax', cover.toNumber],
    from: ['From', cover.from],
    fromNumber: ['From fax', cover.fromNumber],
    date: ['Date', cover.date],
    pages: ['Pages', countInWords(pages)],
    subject: ['Subject', cover.subject],
  } satisfies Record<string, Fact>
}

const noteOf = ({ note }: Cover, width: number) => (note === null ? [] : [words(note, width, type.note)])

function letter(cover: Cover, pages: number, width: number): Block[] {
  return [
    words('Fax', width, type.title),
    rule(width, { isThick: true }),
    ...Object.values<Fact>(factsOf(cover, pages))
      .filter(isSaid)
      .map(([label, value]) => fact(label, value, width)),
    rule(width),
    ...noteOf(cover, width),
  ]
}

/** Both sides beside each other, and a line that asks for misdirected pages. */
function formal(cover: Cover, pages: number, width: number): CoverParts {
  const facts = factsOf(cover, pages)
  const rows: Fact[][] = [
    [facts.to, facts.from],
    [facts.toNumber, facts.fromNumber],
    [facts.date, facts.pages],
    [facts.subject],
  ]
  return {
    body: [
      words('Fax transmission', width, type.title),
      rule(width, { isThick: true }),
      ...rows
        .map((row) => row.filter(isSaid))
        .filter((row) => row.length > 0)
        .map((row) => columns(row, width)),
      space(18),
      ...noteOf(cover, width),
    ],
    foot: [rule(width), words(askForReturn, width, type.label)],
  }
}

/** Marked on top, with the notice that clinics in the United States put on what they send. */
function confidential(cover: Cover, pages: number, width: number): CoverParts {
  const inner = boxedWidth(width)
  const notice = [words('Confidential health information', inner, type.heading), words(healthNotice, inner, type.label)]
  return { body: [banner('CONFIDENTIAL', width), ...letter(cover, pages, width)], foot: [boxed(notice, width)] }
}

/** Each cover page as blocks of a type area of `width` points, for a fax of `pages` pages, this one included. */
export const coverTemplates: Record<CoverTemplate, (cover: Cover, pages: number, width: number) => CoverParts> = {
  plain: (cover, pages, width) => ({ body: letter(cover, pages, width), foot: [] }),
  formal,
  confidential,
}
