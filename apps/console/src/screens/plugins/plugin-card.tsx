import type { ReactNode } from 'react'
import { Chip } from '../../ui/control/status-chip.tsx'
import styles from './plugins.module.css'
import type { Plugin } from './queries.ts'

const words: Readonly<Record<string, string>> = {
  outbound: 'Outbound',
  storage: 'Storage',
  send: 'Sends',
  get_status: 'Status updates',
  cancel: 'Can cancel',
  receive: 'Receives',
  webhook: 'Webhook',
  store: 'Stores',
  retrieve: 'Retrieves',
  delete: 'Deletes',
}
const wordFor = (name: string) => words[name] ?? name

interface Props {
  plugin: Plugin
  /** Chips beside the name. */
  state: ReactNode
  /** What can be done with it. */
  actions: ReactNode
}

/** A plugin: what it is, what it can do, and what can be done with it. */
export function PluginCard({ plugin, state, actions }: Props) {
  const { id, name, version, description, categories, capabilities, source } = plugin
  return (
    <li className={styles.card} aria-label={name}>
      <div className={styles.cardHead}>
        <h3 title={name}>{name}</h3>
        {state}
      </div>
      <p className={styles.quiet}>
        <code>{id}</code> · {version}
        {source === 'manifest' && ' · HTTP manifest'}
      </p>
      {description && <p className={styles.description}>{description}</p>}
      {plugin.missing !== undefined && (
        <p id={`${id}-missing`} className={styles.quiet}>
          {plugin.missing}
        </p>
      )}
      <ul className={styles.chips} aria-label={`What ${name} is and can do`}>
        {[...categories, ...capabilities].map((each) => (
          <li key={each}>
            <Chip tone="plain">{wordFor(each)}</Chip>
          </li>
        ))}
      </ul>
      <div className={styles.cardFoot}>{actions}</div>
    </li>
  )
}
