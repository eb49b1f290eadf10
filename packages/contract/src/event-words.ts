/** Events whose names alone would not be understood, or say too much. */
const words: Readonly<Record<string, string>> = {
  admin_pdf_download: 'Document downloaded',
  inbound_pdf_served: 'Document downloaded',
  pdf_served: 'Document fetched by the provider',
  document_viewed: 'Document opened',
  document_removed: 'Document deleted',
  inbound_deleted: 'Document deleted',
  thumbnail_shown: 'Thumbnail shown in a list',
  fax_opened_with_reason: 'Fax opened with a reason',
  fax_opening_missed: 'Tried to open a fax with a reason',
  fax_search_with_reason: 'Searched for a fax with a reason',
  job_created: 'Fax accepted for sending',
  job_dispatch: 'Sending attempt',
  job_updated: 'Sending progress',
  job_failed: 'Fax failed',
  job_cancelled: 'Fax canceled',
  job_resent: 'Fax sent again',
  inbound_received: 'Fax received',
  inbound_text_read: 'Text of a received fax recognized',
  person_signed_in: 'Signed in',
  person_signed_out: 'Signed out',
}

/** What an entry of the audit trail is called for people. @param size of a view, as the entry has it */
export function eventWords({ event, size }: { event: string; size?: unknown }): string {
  if (size === 'thumbnail') return words.thumbnail_shown ?? event
  if (event === 'document_viewed' && size === 'excerpt') return 'Words of the document found by a search'
  const text = words[event] ?? event.replaceAll('_', ' ').replace(/\b(api|pdf|url|id)\b/g, (word) => word.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Whether an entry only says that a first page too small to be read stood in a list. */
export const isThumbnailEntry = ({ event, size }: { event: string; size?: unknown }): boolean =>
  event === 'thumbnail_shown' || size === 'thumbnail'
