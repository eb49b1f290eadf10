import { type FaxAccess, hasScope, type Scope } from '@faxdeck/contract'

/** What a valid key stands for. */
export interface KeyHolder {
  /** The key's id; `bootstrap` for the installation's own key. */
  keyId: string
  scopes: ReadonlySet<Scope>
  faxAccess: FaxAccess
}

/**
 * Who holds a key or a token with these scopes.
 * @param faxAccess what was chosen for the key; any fax whose id is known where nothing was chosen. Whoever administers sees all.
 */
export const holderOf = (keyId: string, scopes: ReadonlySet<Scope>, faxAccess: FaxAccess = 'by_id'): KeyHolder => ({
  keyId,
  scopes,
  faxAccess: hasScope(scopes, 'keys:manage') ? 'all' : faxAccess,
})

export type Verified = KeyHolder | 'expired' | undefined

/** Tells valid keys from others. */
export interface Keys {
  /**
   * Who holds this token; undefined when nobody does, `expired` when it is the token of a key whose time is over.
   */
  verify: (token: string) => Promise<Verified>
  /** Whether the token was valid when last seen: its holder is not shut out by other people's failures. */
  wasValid: (token: string) => boolean
  /** Calls `listener` when a key was revoked or replaced, by whichever process; returns how to stop. */
  onEnded: (listener: () => void) => () => void
}

const tokenPrefix = 'oauth:'

/** What the holder of an access token is called where keys have their id. */
export const tokenHolderId = (subject: string): string => tokenPrefix + subject.slice(0, 100)

/** Whether an id names the holder of an access token rather than a key. */
export const isTokenHolder = (keyId: string): boolean => keyId.startsWith(tokenPrefix)
