import { type FaxAccess, type Permission, permissionsOf, type RoleFaxAccess, type Scope } from '@faxdeck/contract'

/** Received faxes: those of some groups, and those to some numbers (E.164). */
export interface ReceivedLimit {
  groups: readonly string[]
  numbers: readonly string[]
}

/** Who acts, and what they may do. */
export interface Actor {
  kind: 'key' | 'person'
  /**
   * The id in the audit trail, which also owns faxes: the id of a key, `bootstrap` for the installation's own one,
   * `oauth:…` for the holder of a token, `person:…` for a person.
   */
  keyId: string
  permissions: ReadonlySet<Permission>
  /** Which faxes the actor sees; `visibleFaxes` says what that means. */
  faxAccess: FaxAccess | RoleFaxAccess
  /** The groups a person is in who sees the faxes of their groups, as they are at this call. */
  groups?: readonly string[]
  /** The received faxes that a key is limited to; it sees no others, whatever else it may. */
  receivedOnly?: ReceivedLimit
  /** The faxes outside of their groups that they opened with a reason, as long as that holds. */
  opened?: readonly string[]
  /** Of a person who signed in. */
  sessionId?: string
  /** They signed in, or confirmed who they are, within the last minutes. */
  confirmed?: true
  /** They have to set up a second factor before anything else. */
  mustEnrol?: true
}

/** What is about received faxes alone. */
export const receivedOnly: ReadonlySet<Permission> = new Set(['list_received', 'read_received', 'delete_received'])

/** The holder of a key or token. */
export interface KeyHolder extends Actor {
  kind: 'key'
  faxAccess: FaxAccess
}

/**
 * Who holds a key or a token with these scopes.
 * @param chosen what was chosen for the key; any fax whose id is known where nothing was chosen. Whoever administers sees
 *   all; who sees only what they sent sees no received fax but those
 *   of a limit.
 * @param received.limit the received faxes that the key is limited to
 * @param received.mayDelete whether the key was made to delete those it sees
 */
export function holderOf(
  keyId: string,
  scopes: ReadonlySet<Scope>,
  chosen: FaxAccess = 'by_id',
  { limit = null, mayDelete = false }: { limit?: ReceivedLimit | null; mayDelete?: boolean } = {},
): KeyHolder {
  const faxAccess = scopes.has('keys:manage') ? 'all' : chosen
  const granted = [...permissionsOf(scopes), ...(mayDelete ? (['delete_received'] as const) : [])]
  const permissions = faxAccess === 'own' && !limit ? granted.filter((each) => !receivedOnly.has(each)) : granted
  const limited = limit && !scopes.has('keys:manage') ? { receivedOnly: limit } : {}
  return { kind: 'key', keyId, permissions: new Set(permissions), faxAccess, ...limited }
}

export type Verified = Actor | 'expired' | undefined

/** Recognizes valid keys. */
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
