import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconAlert } from '../../ui/control/icons.ts'
import styles from './plugins.module.css'

const flags = 'settings/settings'

/** Said in place of the screen while plugins are switched off. */
export function PluginsOff() {
  const { go, canGo } = useSession()
  return (
    <div className={styles.off} role="alert">
      <IconAlert size="1.125rem" aria-hidden="true" />
      <div>
        <p className={styles.strong}>v3 plugins are disabled</p>
        <p>
          Providers and storage work without plugins. To add a service with a manifest, turn on Plugins under Settings ›
          Feature Flags.
        </p>
      </div>
      {canGo(flags) && <Button onClick={() => go(flags, { open: 'feature_v3_plugins' })}>Open Feature Flags</Button>}
    </div>
  )
}
