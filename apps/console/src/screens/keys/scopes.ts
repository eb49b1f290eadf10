import type { Scope } from '@faxdeck/contract'

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
