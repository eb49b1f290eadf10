import { useForm } from './form.ts'
import { providerSections, sectionsOf } from './sections/sections.ts'
import styles from './settings.module.css'

/** The sections of the screen, each a way to it; beside them where there is room. */
export function Contents({ onGo }: { onGo: (section: string) => void }) {
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
            <button type="button" onClick={() => onGo(key)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
