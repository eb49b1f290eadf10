import type { Scope } from '@faxdeck/contract'

/** What a valid key stands for. */
export interface KeyHolder {
  /** The key's id; `bootstrap` for the installation's own key. */
  keyId: string
  scopes: ReadonlySet<Scope>
}

/** Tells valid keys from others. */
export interface Keys {
  /** Who holds this token; undefined when nobody does. A promise only when the database must be asked. */
  verify: (token: string) => KeyHolder | undefined | Promise<KeyHolder | undefined>
  /** Whether the token was valid when last seen: its holder is not shut out by other people's failures. */
  wasValid: (token: string) => boolean
}
