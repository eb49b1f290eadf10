import type { Plugin, RegistryItem } from './queries.ts'

/** Whether every word of a search stands somewhere in what is said about a plugin. */
export function matchesPlugin(search: string, item: Plugin | RegistryItem): boolean {
  const { id, name, description, categories } = item
  const capabilities = 'capabilities' in item ? item.capabilities : []
  const text = [id, name, description, ...categories, ...capabilities].join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Documo, shown as a preview by a gateway that does not have it yet. */
export const documoPreview: Plugin = {
  id: 'documo',
  name: 'Documo mFax',
  version: '1.0.0',
  categories: ['outbound'],
  capabilities: ['send'],
  description: 'Direct upload (preview)',
  enabled: false,
  active: false,
  configurable: false,
  source: 'builtin',
}
