/** What a key may be allowed to do. */
export const scopes = ['fax:send', 'fax:read', 'inbound:list', 'inbound:read', 'keys:manage'] as const
export type Scope = (typeof scopes)[number]

/**
 * What somebody may do: each call of the API asks for one of these. People have them by their role, keys by their
 * scopes. Which faxes a call is about is another matter, see `FaxAccess`.
 */
export const permissions = {
  send_faxes: 'Send faxes',
  read_faxes: 'Follow and stop faxes with a program',
  own_webhooks: 'Add webhooks of their own',
  list_received: 'List received faxes',
  read_received: 'Open received faxes',
  delete_received: 'Delete the documents of received faxes before their time',
  use_console: 'Sign in to the console',
  own_account: 'Set up how they sign in',
  preview_documents: 'Preview a document before it is sent',
  open_faxes: 'Open, cancel and resend sent faxes',
  break_glass: 'Open a fax outside of their groups by giving a reason',
  handle_faxes: 'Handle everybody’s faxes: release, resolve, approve, search, act on many at once',
  see_activity: 'See how many faxes are sent and received',
  see_calls: 'See telephone calls and what is remembered about numbers',
  read_trail: 'Read the audit trail',
  read_reports: 'Read reports',
  manage_webhooks: 'Manage every webhook',
  manage_settings: 'Change settings and plugins',
  manage_keys: 'Manage API keys',
  manage_people: 'Invite and manage people',
  manage_holds: 'Place legal holds, and decide how long documents are kept',
  export_records: 'Export everything about a number or a person',
  run_gateway: 'Run diagnostics, tests and restarts',
} as const
export type Permission = keyof typeof permissions

const everything = Object.keys(permissions) as Permission[]

/** Which faxes a key sees: those sent with it; those, and any other whose id it knows; or all. */
export const faxAccesses = ['own', 'by_id', 'all'] as const
export type FaxAccess = (typeof faxAccesses)[number]

/** Which faxes the call of a person is about: those they sent; those, and all of the groups they are in; or all. */
export type RoleFaxAccess = 'own' | 'groups' | 'all'

interface RoleRow {
  label: string
  /** One sentence, for people who choose a role. */
  summary: string
  permissions: readonly Permission[]
  faxes: RoleFaxAccess
}

const sender = ['use_console', 'own_account', 'send_faxes', 'read_faxes', 'preview_documents', 'open_faxes'] as const

/** The roles of people. This table is the only place that says what a role may do. */
export const roles = {
  administrator: {
    label: 'Administrator',
    summary: 'Everything: all faxes, settings, keys and people.',
    permissions: everything,
    faxes: 'all',
  },
  operator: {
    label: 'Operator',
    summary: 'All faxes, sent and received. No settings, keys or people.',
    permissions: [
      ...sender,
      'list_received',
      'read_received',
      'handle_faxes',
      'see_activity',
      'see_calls',
      'read_reports',
    ],
    faxes: 'all',
  },
  member: {
    label: 'Member',
    summary: 'The faxes of their groups, sent and received, and those they sent.',
    permissions: [...sender, 'list_received', 'read_received', 'break_glass'],
    faxes: 'groups',
  },
  sender: {
    label: 'Sender',
    summary: 'Sends faxes, and sees only those.',
    permissions: sender,
    faxes: 'own',
  },
  auditor: {
    label: 'Auditor',
    summary: 'Reads the audit trail and reports. No faxes and no documents.',
    permissions: ['use_console', 'own_account', 'read_trail', 'read_reports'],
    faxes: 'own',
  },
} as const satisfies Record<string, RoleRow>
export type Role = keyof typeof roles
export const roleNames = Object.keys(roles) as [Role, ...Role[]]

/** What each scope of a key allows. `keys:manage` can create a key with any scope, and so includes them all. */
const scopePermissions: Readonly<Record<Scope, readonly Permission[]>> = {
  'fax:send': ['send_faxes'],
  'fax:read': ['read_faxes', 'own_webhooks'],
  'inbound:list': ['list_received'],
  'inbound:read': ['read_received'],
  'keys:manage': everything,
}

/** What a key or token with these scopes may do. */
export const permissionsOf = (granted: Iterable<Scope>): ReadonlySet<Permission> =>
  new Set([...granted].flatMap((scope) => scopePermissions[scope]))

/** What a person of a role may do. */
export const permissionsOfRole = (role: Role): ReadonlySet<Permission> => new Set<Permission>(roles[role].permissions)

/** The scope a key needs for a call: the least that allows what the call asks for. */
export function scopeFor(permission: Permission): Scope {
  return scopes.find((scope) => scopePermissions[scope].includes(permission)) ?? 'keys:manage'
}
