import type { RouteName } from '@faxdeck/contract'

/**
 * What goes on while the disk is full, beside everything that only reads: signing in, ending what was let in or sent, and
 * making room. Its few bytes come from the room that is kept back; nothing else may use that up.
 */
const goOn: ReadonlySet<RouteName> = new Set<RouteName>([
  ...(['signIn', 'signInWithCode', 'askForPasskey', 'signInWithPasskey', 'startSingleSignOn'] as const),
  ...(['finishSingleSignOn', 'staySignedIn', 'signOut', 'endOtherSessions', 'endOwnSession'] as const),
  ...(['confirmAccount', 'askToConfirm', 'confirmWithPasskey', 'openFax', 'updatePerson', 'revokeApiKey'] as const),
  ...(['cancelFax', 'cancelJob', 'pauseBroadcast', 'cancelBroadcast', 'stopBulk'] as const),
  ...(['setRetention', 'liftHold', 'updateSettings', 'runDiagnostics', 'verifyAuditChain', 'restart'] as const),
])

export const goesOnWhenFull = (name: RouteName, method: string): boolean => method === 'GET' || goOn.has(name)
