import { Button } from '../../ui/control/button.tsx'
import { matchesPlugin } from './match-plugin.ts'
import styles from './plugins.module.css'
import type { Plugin, RegistryItem } from './queries.ts'

interface Props {
  items: readonly RegistryItem[]
  plugins: readonly Plugin[]
  search: string
}

/** What a manifest can add, of the curated registry. */
export function Discover({ items, plugins, search }: Props) {
  const here = new Set(plugins.map(({ id }) => id))
  const shown = items.filter((item) => !here.has(item.id) && matchesPlugin(search, item))
  return (
    <section className={styles.section} aria-labelledby="discover">
      <h2 id="discover">Discover</h2>
      <p className={styles.quiet}>
        A curated list that ships with Faxdeck. Nothing is installed from the network. To add a service, use its
        manifest below.
      </p>
      {shown.length === 0 && <p className={styles.quiet}>No other plugins in the registry match.</p>}
      {shown.length > 0 && (
        <ul className={styles.registry}>
          {shown.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({ item }: { item: RegistryItem }) {
  const { name, version, description, categories, learn_more: address } = item
  return (
    <li className={styles.item}>
      <div className={styles.itemWords}>
        <p>
          <span className={styles.strong}>{name}</span>{' '}
          <span className={styles.quiet}>
            {version} · {categories.join(', ')}
          </span>
        </p>
        <p className={styles.quiet}>
          {description}
          {address && (
            <>
              {' '}
              <a href={address} target="_blank" rel="noreferrer" aria-label={`Learn more about ${name}`}>
                Learn more
              </a>
            </>
          )}
        </p>
      </div>
      <Button disabled aria-label={`Install Disabled: ${name}`}>
        Install Disabled
      </Button>
    </li>
  )
}
