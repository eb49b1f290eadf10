import type { ApiKey, FaxAccess } from '@faxdeck/contract'

/** Which faxes a key sees: in a word for a table, and in a sentence. */
export const accessWords: Record<FaxAccess, { name: string; meaning: string }> = {
  own: { name: 'Own', meaning: 'Only faxes sent with this key, and no received faxes.' },
  by_id: {
    name: 'By ID',
    meaning: 'Lists only faxes sent with this key. Reads any other sent fax by its ID. Sees all received faxes.',
  },
  all: { name: 'All', meaning: 'All faxes.' },
}

/** What can be chosen for a new key; `by_id` is what keys had before there was a choice. */
export const accessChoices = [
  { value: 'own', label: 'Only faxes sent with this key' },
  { value: 'all', label: 'All faxes' },
] as const satisfies readonly { value: FaxAccess; label: string }[]
export type ChosenAccess = (typeof accessChoices)[number]['value']

const about: Record<ChosenAccess, string> = {
  own: 'This key’s lists, events and webhooks leave out all other faxes, also received ones.',
  all: 'This key can read, cancel and resend every fax, with full numbers and references.',
}

/** What a choice means. Whoever administers sees all, whatever is chosen. */
export const aboutAccess = (chosen: ChosenAccess, scopes: ApiKey['scopes']): string =>
  scopes.includes('keys:manage')
    ? 'A key with keys:manage sees all faxes.'
    : chosen === 'own' && scopes.some((scope) => scope.startsWith('inbound:'))
      ? 'This key sees no received faxes, so its inbound scopes have no effect. Choose “All faxes” for them.'
      : about[chosen]
