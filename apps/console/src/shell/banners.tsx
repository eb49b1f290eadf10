import { useReachable } from '../api/live/reachability.ts'
import { IconAlert } from '../ui/control/icons.ts'
import styles from './banners.module.css'
import { DataFolderNotice } from './data-folder-notice.tsx'
import { useSession } from '../session/session.ts'

interface Props {
  /** A mark in the header says that the test line is on. */
  folded: boolean
  /** Absent where the header has no room for the mark. */
  onFold?: (() => void) | undefined
}

/** What is true of every screen: it is a demo, the test line is on, the account is for tests, the gateway is silent. */
export function Banners({ folded, onFold }: Props) {
  const { config, canGo, go, may } = useSession()
  const reachable = useReachable()
  const way =
    config.test_line_bypasses === null
      ? { target: 'settings/setup', label: 'Set up a provider' }
      : { target: 'settings/settings', label: 'Turn off the test line' }
  return (
    <section aria-label="Notices">
      {config.demo && (
        <div className={styles.banner}>
          <p>Demo: everything here is made up and exists only on this page. Reload the page to start over.</p>
        </div>
      )}
      {config.data_folder_from !== null && (
        <DataFolderNotice from={config.data_folder_from} mayAnswer={may('run_gateway')} />
      )}
      {config.test_line && !config.demo && !folded && (
        <div className={styles.banner}>
          <p>
            Test line on: nothing leaves this machine.
            {config.test_line_bypasses !== null && <span> {config.test_line_bypasses} is set up but not in use.</span>}
            {canGo(way.target) && (
              <button type="button" onClick={() => go(way.target)}>
                {way.label}
              </button>
            )}
            {onFold && (
              <button type="button" className={styles.fold} aria-label="Hide the test line notice" onClick={onFold}>
                Hide
              </button>
            )}
          </p>
        </div>
      )}
      {config.test_account !== null && (
        <div className={styles.banner}>
          <p>
            This account is in test mode: {config.test_account} sends no real fax.
            {canGo('settings/settings') && (
              <button type="button" onClick={() => go('settings/settings')}>
                Enter live credentials
              </button>
            )}
          </p>
        </div>
      )}
      <div role="alert">
        {!reachable && (
          <div className={styles.banner} data-tone="bad">
            <p>
              <IconAlert size="1rem" aria-hidden="true" />
              <span>Faxdeck isn’t responding. This page may be out of date. Retrying…</span>
            </p>
          </div>
        )}
      </div>
    </section>
  )
}
