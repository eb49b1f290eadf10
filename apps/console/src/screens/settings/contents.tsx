import { useSession } from '../../shell/session.ts'
import { useForm } from './form.ts'
import { providerSections, sectionsOf } from './sections.ts'
import styles from './settings.module.css'
import { settingsPlace } from './use-target.ts'

/** The sections of the screen, each a way to it; beside them where there is room. */
export function Contents() {
  const { go } = useSession()
  const { rows, providers } = useForm()
  const { backend, security, features, inbound, storage, advanced } = sectionsOf(rows, providers)
  const sections = [
    backend,
    security,
    { key: 'tunnel', title: 'VPN Tunnel' },
    ...providerSections(rows, providers),
    features,
    inbound,
    storage,
    advanced,
    { key: 'env', title: 'faxdeck.env' },
  ]
  return (
    <nav className={styles.contents} aria-label="Sections">
      <ul>
        {sections.map(({ key, title }) => (
          <li key={key}>
            <button type="button" onClick={() => go(settingsPlace, { open: key, replace: true })}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
