import type { ReactNode } from 'react'
import styles from './tabs.module.css'

interface Tab<Key extends string> {
  key: Key
  label: string
  /** A count or mark after the label. */
  badge?: ReactNode
}

interface Props<Key extends string> {
  /** What the tabs are for: "Main", "Settings". */
  label: string
  tabs: readonly Tab<Key>[]
  current: Key
  onGo: (key: Key) => void
  /** Somebody points at a tab or has the focus on it, and may press it next. */
  onNear?: (key: Key) => void
  /** `sub` tabs stand below the main ones. */
  level?: 'main' | 'sub'
}

/** Ways to sibling places, the present one marked. For several views of one thing use `Views`. */
export function Tabs<Key extends string>({ label, tabs, current, onGo, onNear, level = 'main' }: Props<Key>) {
  return (
    <nav className={styles.tabs} data-level={level} aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          aria-current={tab.key === current ? 'page' : undefined}
          onClick={() => onGo(tab.key)}
          onPointerEnter={() => onNear?.(tab.key)}
          onFocus={() => onNear?.(tab.key)}
        >
          {tab.label}
          {tab.badge}
        </button>
      ))}
    </nav>
  )
}

/** The same thing seen in several ways, one at a time: "Node, Python, curl". */
export function Views<Key extends string>({ label, tabs, current, onGo }: Omit<Props<Key>, 'level' | 'onNear'>) {
  return (
    <div role="group" className={styles.tabs} data-level="sub" aria-label={label}>
      {tabs.map((tab) => (
        <button key={tab.key} type="button" aria-pressed={tab.key === current} onClick={() => onGo(tab.key)}>
          {tab.label}
        </button>
      ))}
    </div>
  )
}
