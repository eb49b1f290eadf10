import type { ReactNode } from 'react'
import styles from './plugins.module.css'
import type { Plugin } from './queries.ts'

const words: Readonly<Record<string, string>> = {
  outbound: 'Outbound',
  storage: 'Storage',
  send: 'sends',
  get_status: 'reports status',
  cancel: 'can cancel',
  receive: 'receives',
  webhook: 'gets callbacks',
  store: 'stores',
  retrieve: 'retrieves',
  delete: 'deletes',
}
const wordFor = (name: string) => words[name] ?? name

/** "Outbound: sends, reports status, receives." */
const abilitiesOf = ({ categories, capabilities }: Plugin) =>
  `${categories.map(wordFor).join(', ')}: ${capabilities.map(wordFor).join(', ')}.`

interface Props {
  plugin: Plugin
  /** Chips beside the name. */
  state: ReactNode
  /** What can be done with it. */
  actions: ReactNode
}

/** A plugin: what it is, what it can do, and what can be done with it. */
export function PluginCard({ plugin, state, actions }: Props) {
  const { id, name, version, description, source } = plugin
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
      <p className={styles.quiet}>{abilitiesOf(plugin)}</p>
      <div className={styles.cardFoot}>{actions}</div>
    </li>
  )
}
