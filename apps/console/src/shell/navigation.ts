import type { Config, HealthStatus, Permission } from '@faxdeck/contract'
import type { Icon } from '@tabler/icons-react'
import {
  IconDashboard,
  IconDiagnostics,
  IconInbox,
  IconJobs,
  IconKey,
  IconLines,
  IconLock,
  IconLogs,
  IconMcp,
  IconPlug,
  IconReport,
  IconScripts,
  IconSend,
  IconSettings,
  IconSetup,
  IconTerminal,
  IconTool,
  IconUsers,
  IconUsersGroup,
  IconUser,
} from '../ui/control/icons.ts'
import { DashboardScreen } from '../screens/dashboard/dashboard.tsx'
import { lazyPart, presentPart, type LazyPart } from '../ui/lazy-part.tsx'

export interface Badge {
  count: number
  /** What is counted, for a screen reader: "need attention". */
  meaning: string
  tone: 'bad' | 'info'
}

/** Tabs with sub-tabs below them. A group without places is not shown. */
export const groups = {
  settings: { label: 'Settings', icon: IconSettings },
  tools: { label: 'Tools', icon: IconTool },
  people: { label: 'People', icon: IconUsers },
} as const satisfies Record<string, { label: string; icon: Icon }>
type GroupKey = keyof typeof groups

export interface Place {
  /** The internal target: what cards and buttons go to. */
  key: string
  label: string
  icon: Icon
  parent?: GroupKey
  /** The place whose tab stands for it: it has none of its own, and other screens lead to it. */
  within?: string
  /** Further targets that lead here, each with what it opens. */
  aliases?: Readonly<Record<string, string>>
  /** What a person must be allowed to be there. */
  needs: Permission
  /** Whether it exists under this configuration; always, when absent. */
  when?: (config: Config) => boolean
  badge?: (health: HealthStatus) => Badge
  /** After `g`, this letter goes there. */
  hotkey?: string
  /** What the palette offers there: opens the place with `open`. */
  actions?: readonly { label: string; open: string; needs?: Permission }[]
  screen: LazyPart<object>
}

/** Every place of the console, in order. Tabs, sub-tabs, drawer, palette and internal targets are derived from it. */
export const places: readonly Place[] = [
  {
    key: 'dashboard',
    needs: 'see_activity',
    label: 'Dashboard',
    hotkey: 'd',
    icon: IconDashboard,
    screen: presentPart(DashboardScreen),
  },
  {
    key: 'send',
    needs: 'preview_documents',
    label: 'Send',
    hotkey: 's',
    icon: IconSend,
    screen: lazyPart(async () => (await import('../screens/send/send.tsx')).SendScreen),
  },
  {
    key: 'jobs',
    needs: 'open_faxes',
    label: 'Jobs',
    hotkey: 'j',
    icon: IconJobs,
    badge: ({ jobs }) => ({ count: jobs.attention, meaning: 'waiting for your decision', tone: 'bad' }),
    screen: lazyPart(async () => (await import('../screens/jobs/jobs.tsx')).JobsScreen),
  },
  {
    key: 'broadcasts',
    needs: 'read_faxes',
    label: 'Broadcasts',
    icon: IconSend,
    within: 'jobs',
    screen: lazyPart(async () => (await import('../screens/broadcasts/broadcasts.tsx')).BroadcastsScreen),
  },
  {
    key: 'inbound',
    needs: 'read_received',
    label: 'Inbox',
    hotkey: 'i',
    icon: IconInbox,
    badge: ({ inbound_unread: unread }) => ({ count: unread, meaning: 'unread', tone: 'info' }),
    actions: [{ label: 'Create a test fax', open: 'test-fax', needs: 'handle_faxes' }],
    screen: lazyPart(async () => (await import('../screens/inbox/inbox.tsx')).InboxScreen),
  },
  {
    key: 'settings/setup',
    needs: 'manage_settings',
    label: 'Setup',
    icon: IconSetup,
    parent: 'settings',
    screen: lazyPart(async () => (await import('../screens/setup/setup.tsx')).SetupScreen),
  },
  {
    key: 'settings/settings',
    needs: 'manage_settings',
    label: 'Settings',
    hotkey: 'e',
    icon: IconSettings,
    parent: 'settings',
    aliases: {
      'settings/security': 'security',
      'settings/inbound': 'inbound',
      'settings/storage': 'storage',
      'settings/advanced': 'advanced',
    },
    screen: lazyPart(async () => (await import('../screens/settings/settings.tsx')).SettingsScreen),
  },
  {
    key: 'settings/keys',
    needs: 'manage_keys',
    label: 'Keys',
    hotkey: 'k',
    icon: IconKey,
    parent: 'settings',
    actions: [
      { label: 'Create an API key', open: 'new' },
      { label: 'Add a webhook', open: 'new-webhook' },
    ],
    screen: lazyPart(async () => (await import('../screens/keys/keys.tsx')).KeysScreen),
  },
  {
    key: 'settings/mcp',
    needs: 'manage_settings',
    label: 'MCP',
    icon: IconMcp,
    parent: 'settings',
    badge: ({ approvals_waiting: count }) => ({ count, meaning: 'waiting for your approval', tone: 'bad' }),
    screen: lazyPart(async () => (await import('../screens/mcp/mcp.tsx')).McpScreen),
  },
  {
    key: 'tools/terminal',
    needs: 'run_gateway',
    label: 'Terminal',
    icon: IconTerminal,
    parent: 'tools',
    screen: lazyPart(async () => (await import('../screens/terminal/terminal.tsx')).TerminalScreen),
  },
  {
    key: 'tools/diagnostics',
    needs: 'run_gateway',
    label: 'Diagnostics',
    hotkey: 'x',
    icon: IconDiagnostics,
    parent: 'tools',
    actions: [{ label: 'Run diagnostics', open: 'run' }],
    screen: lazyPart(async () => (await import('../screens/diagnostics/diagnostics.tsx')).DiagnosticsScreen),
  },
  {
    key: 'tools/lines',
    needs: 'see_calls',
    label: 'Lines',
    icon: IconLines,
    parent: 'tools',
    screen: lazyPart(async () => (await import('../screens/lines/lines.tsx')).LinesScreen),
  },
  {
    key: 'tools/reports',
    needs: 'read_reports',
    label: 'Reports',
    hotkey: 'r',
    icon: IconReport,
    parent: 'tools',
    screen: lazyPart(async () => (await import('../screens/reports/reports.tsx')).ReportsScreen),
  },
  {
    key: 'tools/retention',
    needs: 'read_trail',
    label: 'Retention',
    icon: IconLock,
    parent: 'tools',
    actions: [
      { label: 'Place a legal hold', open: 'new', needs: 'manage_holds' },
      { label: 'Export everything about a number or person', open: 'export', needs: 'export_records' },
    ],
    screen: lazyPart(async () => (await import('../screens/retention/retention.tsx')).RetentionScreen),
  },
  {
    key: 'tools/logs',
    needs: 'read_trail',
    label: 'Logs',
    hotkey: 'l',
    icon: IconLogs,
    parent: 'tools',
    screen: lazyPart(async () => (await import('../screens/logs/logs.tsx')).LogsScreen),
  },
  {
    key: 'tools/plugins',
    needs: 'manage_settings',
    label: 'Plugins',
    icon: IconPlug,
    parent: 'tools',
    when: (config) => config.v3_plugins.enabled,
    screen: lazyPart(async () => (await import('../screens/plugins/plugins.tsx')).PluginsScreen),
  },
  {
    key: 'tools/scripts',
    needs: 'run_gateway',
    label: 'Scripts & Tests',
    icon: IconScripts,
    parent: 'tools',
    screen: lazyPart(async () => (await import('../screens/scripts/scripts.tsx')).ScriptsScreen),
  },
  {
    key: 'people/people',
    needs: 'manage_people',
    label: 'People',
    hotkey: 'p',
    icon: IconUsers,
    parent: 'people',
    actions: [{ label: 'Invite a person', open: 'new' }],
    screen: lazyPart(async () => (await import('../screens/people/people.tsx')).PeopleScreen),
  },
  {
    key: 'people/groups',
    needs: 'manage_people',
    label: 'Groups',
    icon: IconUsersGroup,
    parent: 'people',
    actions: [{ label: 'Add a group', open: 'new' }],
    screen: lazyPart(async () => (await import('../screens/groups/groups.tsx')).GroupsScreen),
  },
  {
    // The header leads to it. Last: without a target, the first place that is open to somebody is shown.
    key: 'account',
    needs: 'own_account',
    label: 'Account',
    icon: IconUser,
    within: 'account',
    screen: lazyPart(async () => (await import('../screens/account/account.tsx')).AccountScreen),
  },
]

/** The screen of a place, before it is known whether the place exists here. */
export function findScreen(key: string): Place['screen'] | undefined {
  return places.find((place) => place.key === key)?.screen
}

/** Under what the console is open: the configuration, and what the person may do. */
export interface Here {
  config: Config
  may: (permission: Permission) => boolean
}

/** The places that exist here. */
export function openPlaces({ config, may }: Here): Place[] {
  return places.filter((place) => may(place.needs) && (place.when?.(config) ?? true))
}

/** The place meant by a target: the place itself, one with that alias, or the first of a group. */
export function findPlace(target: string, here: Here): Place | undefined {
  const open = openPlaces(here)
  const named = open.find((place) => place.key === target || (place.aliases && Object.hasOwn(place.aliases, target)))
  return named ?? open.find((place) => place.parent === target)
}

export interface TabRow {
  key: string
  label: string
  icon: Icon
  /** The places below; one without sub-tabs stands for itself. */
  places: Place[]
}

/** The top tabs, groups together with what stands below them. */
export function tabRows(here: Here): TabRow[] {
  const open = openPlaces(here).filter((place) => place.within === undefined)
  const alone = open.filter((place) => !place.parent).map((place) => ({ ...place, places: [place] }))
  const grouped = Object.entries(groups).map(([key, group]) => {
    return { key, ...group, places: open.filter((place) => place.parent === key) }
  })
  return [...alone, ...grouped.filter((group) => group.places.length > 0)]
}
