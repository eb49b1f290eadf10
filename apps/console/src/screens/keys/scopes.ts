import type { ApiKey, FaxAccess, Scope } from '@faxdeck/contract'

/** What each scope allows, in a person's words. */
export const scopeMeanings: Record<Scope, string> = {
  'fax:send': 'Send, cancel and resend faxes',
  'fax:read': 'List and follow faxes, and manage the key’s own webhooks',
  'inbound:list': 'List received faxes',
  'inbound:read': 'Read received faxes',
  'keys:manage': 'Administer everything, including this console',
}
/** The same in a word or two, for a table. */
export const scopeNames: Record<Scope, string> = {
  'fax:send': 'Send',
  'fax:read': 'Read sent',
  'inbound:list': 'List received',
  'inbound:read': 'Read received',
  'keys:manage': 'Administer',
}
export const allScopes = Object.keys(scopeMeanings) as Scope[]
export const defaultScopes = 'fax:send,fax:read'

const isScope = (word: string): word is Scope => Object.hasOwn(scopeMeanings, word)

/** Scopes as typed: separated by commas, trimmed, empty items dropped, each once. */
export function parseScopes(typed: string): { scopes: Scope[]; unknown: string[] } {
  const words = [...new Set(typed.split(',').map((word) => word.trim()))].filter(Boolean)
  return { scopes: words.filter(isScope), unknown: words.filter((word) => !isScope(word)) }
}

/** What is wrong with the typed scopes; undefined when nothing is. */
export function scopesFault(typed: string): string | undefined {
  const { scopes, unknown } = parseScopes(typed)
  if (unknown.length > 0) return `Unknown scope: ${unknown.join(', ')}. Available: ${allScopes.join(', ')}.`
  return scopes.length === 0 ? 'Choose at least one scope.' : undefined
}

/** The typed list with one scope added or taken out. */
export function toggleScope(typed: string, scope: Scope, wanted: boolean): string {
  const words = typed.split(',').map((word) => word.trim())
  const others = words.filter((word) => word !== '' && word !== scope)
  return (wanted ? [...others, scope] : others).join(',')
}

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

/** What a choice means. A key that administers sees all faxes. */
export const aboutAccess = (chosen: ChosenAccess, scopes: ApiKey['scopes'], isLimited = false): string =>
  scopes.includes('keys:manage')
    ? 'A key with keys:manage sees all faxes.'
    : chosen === 'own' && isLimited
      ? 'This key sees faxes sent with it, and the received faxes chosen below.'
      : chosen === 'own' && scopes.some((scope) => scope.startsWith('inbound:'))
        ? 'This key sees no received faxes, so its inbound scopes have no effect. Choose “All faxes” for them, or limit the received faxes below.'
        : about[chosen]
