import type { ReplyOf, Routes } from '@faxdeck/contract'
import { CopyButton } from '../control/button.tsx'
import styles from './callback-row.module.css'

type Callback = ReplyOf<Routes['listCallbacks']>['callbacks'][number]

/** What may be posted there; which of several is best is said only of several. */
function bodiesOf(types: readonly string[], preferred: string | undefined): string {
  if (types.length === 1) return `Content type ${types[0]}`
  return `Content types ${types.join(', ')}${preferred ? `; preferred ${preferred}` : ''}`
}

/** An address that a provider posts to, to copy, and what to enter at the provider with it. */
export function CallbackRow({ callback }: { callback: Callback }) {
  const { name, url, notes, header, content_types: types, preferred_content_type: preferred } = callback
  return (
    <li className={styles.callback}>
      <div className={styles.address}>
        <span className={styles.name}>{name}</span>
        <code>{url}</code>
        <CopyButton text={url} what={`callback URL of ${name}`} />
      </div>
      {header && (
        <p>
          Header <code>{header}</code>
        </p>
      )}
      {types && types.length > 0 && <p>{bodiesOf(types, preferred)}</p>}
      {notes && <p>{notes}</p>}
    </li>
  )
}
