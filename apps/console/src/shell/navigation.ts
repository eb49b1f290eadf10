import type { Config, HealthStatus } from '@faxdeck/contract'
import type { Icon } from '@tabler/icons-react'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { IconDashboard, IconKey, IconSettings, IconTool } from '../ui/icons.ts'

interface LazyScreen {
  Screen: LazyExoticComponent<ComponentType>
  /** Fetches the screen's files ahead of time. */
  preload: () => Promise<unknown>
}

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
} as const satisfies Record<string, { label: string; icon: Icon }>
export type GroupKey = keyof typeof groups

export interface Place extends LazyScreen {
  /** The internal target: what cards and buttons go to. */
  key: string
  label: string
  icon: Icon
  parent?: GroupKey
  /** Whether it exists under this configuration; always, when absent. */
  when?: (config: Config) => boolean
  badge?: (health: HealthStatus) => Badge
  /** What the palette offers there: opens the place with `open`. */
  actions?: readonly { label: string; open: string }[]
}

function lazyScreen(load: () => Promise<ComponentType>): LazyScreen {
  return { Screen: lazy(async () => ({ default: await load() })), preload: load }
}

/** Every place of the console, in order. Tabs, sub-tabs, drawer, palette and internal targets are derived from it. */
export const places: readonly Place[] = [
  {
    key: 'dashboard',
    label: 'Dashboard',
    icon: IconDashboard,
    ...lazyScreen(async () => (await import('../screens/dashboard/dashboard.tsx')).DashboardScreen),
  },
  {
    key: 'settings/keys',
    label: 'Keys',
    icon: IconKey,
    parent: 'settings',
    actions: [{ label: 'Create an API key', open: 'new' }],
    ...lazyScreen(async () => (await import('../screens/keys/keys.tsx')).KeysScreen),
  },
]

/** The places that exist under this configuration. */
export function openPlaces(config: Config): Place[] {
  return places.filter((place) => place.when?.(config) ?? true)
}

/** The place meant by a target: the place itself, or the first of a group. */
export function findPlace(target: string, config: Config): Place | undefined {
  const open = openPlaces(config)
  return open.find((place) => place.key === target) ?? open.find((place) => place.parent === target)
}

export interface TabRow {
  key: string
  label: string
  icon: Icon
  /** The places below; one without sub-tabs stands for itself. */
  places: Place[]
}

/** The top tabs, groups together with what stands below them. */
export function tabRows(config: Config): TabRow[] {
  const open = openPlaces(config)
  const alone = open.filter((place) => !place.parent).map((place) => ({ ...place, places: [place] }))
  const grouped = Object.entries(groups).map(([key, group]) => {
    return { key, ...group, places: open.filter((place) => place.parent === key) }
  })
  return [...alone, ...grouped.filter((group) => group.places.length > 0)]
}
