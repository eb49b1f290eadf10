import { readFileSync } from 'node:fs'
import { type RegistryItem, routes } from '@faxdeck/contract'

/** The curated registry: what is part of the product, and services that a manifest can speak to. */
export const registry: readonly RegistryItem[] = routes.listPluginRegistry.reply.parse(
  JSON.parse(readFileSync(new URL('registry.json', import.meta.url), 'utf8')),
).items
