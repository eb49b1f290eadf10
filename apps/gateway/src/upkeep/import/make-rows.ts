import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Scope, scopes } from '@faxdeck/contract'
import type { ApiKeyRow } from '../../base/db/tables/keys.ts'
import type { FaxJobRow, FaxTimelineRow } from '../../base/db/tables/tables.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { reverseDigits } from '../../base/number.ts'
import { isSlowHash } from '../../access/api-keys/slow-hash.ts'
import { countOf, documentOf, idOf, instantOf, type OldRow, textOf } from './read-old.ts'

type Files = ReadonlyMap<string, string>

/** A document to take over; its key in the storage is made when it is stored. */
export interface OldDocument {
  path: string
  sha256: string
  size: number
  ending: 'pdf' | 'tiff' | 'txt'
}
export interface NewJob {
  row: FaxJobRow
  timeline: FaxTimelineRow
  document: OldDocument | undefined
}
export interface NewInbound {
  row: InboundFaxRow
  document: OldDocument | undefined
  /** The mailbox it lay in. */
  mailbox: string | null
}
/** A mailbox, with the numbers whose faxes it got. */
export interface NewGroup {
  name: string
  numbers: string[]
}

const kinds = { pdf: 'pdf', tiff: 'tiff', txt: 'text' } as const

function endingOf(bytes: Buffer): OldDocument['ending'] {
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'pdf'
  return ['II*\0', 'MM\0*'].includes(bytes.subarray(0, 4).toString('latin1')) ? 'tiff' : 'txt'
}

function readDocument(path: string | undefined): OldDocument | undefined {
  if (path === undefined) return undefined
  const bytes = readFileSync(path)
  return { path, sha256: hash('sha256', bytes), size: bytes.length, ending: endingOf(bytes) }
}

/** How a fax ended. What had not ended, or in words that are not known, may have been sent: nobody knows. */
function endOf(status: string) {
  if (/^success$/i.test(status)) return { status: 'SUCCESS', phase: 'delivered', error_kind: null } as const
  if (/^failed$/i.test(status)) return { status: 'FAILED', phase: 'failed', error_kind: null } as const
  return { status: 'FAILED', phase: 'partial', error_kind: 'uncertain' } as const
}

/** A sent fax; undefined when it has no id or no time that can be kept. */
export function jobOf(old: OldRow, files: Files): NewJob | undefined {
  const id = idOf(old)
  const at = instantOf(old, 'created_at')
  if (id === undefined || at === undefined) return undefined
  const status = textOf(old, 'status') ?? ''
  const end = endOf(status)
  const ended = instantOf(old, 'updated_at') ?? at
  const document = readDocument(documentOf(old, files, ['pdf_path', 'file_path', 'tiff_path']))
  const to = textOf(old, 'to_number') ?? ''
  const unknown = `The earlier gateway had it as "${status}": it is unknown whether it arrived. It was not sent from here.`
  const row: FaxJobRow = {
    ...end,
    id,
    to_number: to,
    to_reversed: reverseDigits(to),
    backend: textOf(old, 'backend') ?? 'unknown',
    pages: countOf(old, 'pages') ?? 0,
    pages_confirmed: end.phase === 'delivered' ? countOf(old, 'pages') : null,
    error: end.phase === 'partial' ? unknown : textOf(old, 'error'),
    is_test: 0,
    attempt_count: 1,
    next_try_at: null,
    attempt_id: null,
    provider_id: textOf(old, 'provider_sid'),
    document_kind: document ? kinds[document.ending] : 'pdf',
    document_key: null,
    tones: 'auto',
    unreadable: 'send',
    page_notes: null,
    header_line: null,
    cover: null,
    document_sha256: document?.sha256 ?? '',
    size_bytes: document?.size ?? 0,
    file_name: textOf(old, 'file_name'),
    caller_key_id: 'imported',
    parent_id: null,
    broadcast_id: null,
    group_id: null,
    hold: null,
    reference: null,
    metadata: null,
    created_at: at,
    updated_at: ended,
    finished_at: ended,
  }
  const sentence = `Imported from an earlier gateway, where its status was ${status}.`
  return { row, document, timeline: { job_id: id, n: 1, at, event: 'imported', sentence, until: null } }
}

/** A received fax; undefined when it has no id or no time that can be kept. */
export function inboundOf(old: OldRow, files: Files): NewInbound | undefined {
  const id = idOf(old)
  const at = instantOf(old, 'received_at') ?? instantOf(old, 'created_at')
  if (id === undefined || at === undefined) return undefined
  const document = readDocument(documentOf(old, files, ['pdf_path']))
  const isPdf = document?.ending === 'pdf'
  const failed = !isPdf && /^failed$/i.test(textOf(old, 'status') ?? '')
  const changed = instantOf(old, 'updated_at') ?? at
  const row: InboundFaxRow = {
    id,
    provider: textOf(old, 'inbound_backend') ?? textOf(old, 'backend') ?? 'unknown',
    provider_id: textOf(old, 'provider_sid') ?? `imported-${id}`,
    from_number: textOf(old, 'from_number'),
    to_number: textOf(old, 'to_number'),
    status: failed ? 'failed' : 'received',
    pages: countOf(old, 'pages'),
    size_bytes: isPdf ? document.size : null,
    sha256: isPdf ? document.sha256 : null,
    pdf_key: null,
    original_key: null,
    source: null,
    notification: null,
    error: textOf(old, 'error'),
    concern: null,
    broke_off: null,
    page_notes: null,
    call_record: null,
    is_test: 0,
    fetch_tries: 0,
    next_try_at: null,
    read_at: changed,
    received_at: at,
    created_at: instantOf(old, 'created_at') ?? at,
    updated_at: changed,
    group_id: null,
    place: null,
  }
  return { row, document: isPdf ? document : undefined, mailbox: textOf(old, 'mailbox_label') }
}

/** Mailboxes become groups: those of the table, and those that only a rule or a fax names. */
export function groupsOf(
  mailboxes: readonly OldRow[],
  rules: readonly OldRow[],
  inbound: readonly NewInbound[],
): NewGroup[] {
  const groups = new Map<string, NewGroup>()
  const groupOf = (name: string) => {
    const group = groups.get(name.trim().toLowerCase()) ?? { name: name.trim(), numbers: [] }
    groups.set(name.trim().toLowerCase(), group)
    return group
  }
  for (const row of mailboxes) groupOf(textOf(row, 'label') ?? 'Mailbox')
  for (const { mailbox } of inbound) if (mailbox !== null) groupOf(mailbox)
  for (const rule of rules) {
    const [name, number] = [textOf(rule, 'mailbox_label'), textOf(rule, 'to_number')]
    if (name !== null && number !== null) groupOf(name).numbers.push(number)
  }
  return [...groups.values()]
}

/** The scopes of a key: `*` was every call but those of administrators. */
function scopesOf(text: string): Scope[] {
  const given = text.split(',').map((each) => each.trim())
  if (given.includes('*')) return scopes.filter((scope) => scope !== 'keys:manage')
  return scopes.filter((scope) => given.includes(scope))
}

/** A key whose token goes on working; undefined for a revoked one, and for a hash that cannot be checked here. */
export function keyOf(old: OldRow): ApiKeyRow | undefined {
  const keyId = textOf(old, 'key_id') ?? ''
  const hash = textOf(old, 'key_hash') ?? ''
  if (!/^[0-9a-f]{12}$/.test(keyId) || textOf(old, 'revoked_at') !== null || !isSlowHash(hash)) return undefined
  return {
    key_id: keyId,
    secret_sha256: hash,
    name: textOf(old, 'name'),
    owner: textOf(old, 'owner'),
    scopes: scopesOf(textOf(old, 'scopes') ?? '').join(','),
    // As every key could before there was a choice: its own faxes, and any whose id it knows.
    fax_access: 'by_id',
    received_only: null,
    received_delete: 0,
    created_at: instantOf(old, 'created_at') ?? new Date(0).toISOString(),
    last_used_at: instantOf(old, 'last_used_at') ?? null,
    expires_at: instantOf(old, 'expires_at') ?? null,
    revoked_at: null,
  }
}
