import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/fax/status-chip.tsx'
import { matchesPlugin } from './match-plugin.ts'
import styles from './plugins.module.css'
import type { Plugin, RegistryItem } from './queries.ts'

interface Props {
  items: readonly RegistryItem[]
  plugins: readonly Plugin[]
  search: string
}

/** The curated registry: what is here already, and what a manifest can add. */
export function Discover({ items, plugins, search }: Props) {
  const here = new Set(plugins.map(({ id }) => id))
  const shown = items
    .filter((item) => matchesPlugin(search, item))
    .toSorted((a, b) => Number(here.has(a.id)) - Number(here.has(b.id)))
  return (
    <section className={styles.section} aria-labelledby="discover">
      <h2 id="discover">Discover</h2>
      <p className={styles.quiet}>
        A curated list that ships with Faxdeck. Nothing is installed from the network: add a service by its manifest
        below.
      </p>
      {shown.length === 0 && <p className={styles.quiet}>Nothing in the registry matches the search.</p>}
      {shown.length > 0 && (
        <ul className={styles.registry}>
          {shown.map((item) => (
            <Item key={item.id} item={item} isHere={here.has(item.id)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({ item, isHere }: { item: RegistryItem; isHere: boolean }) {
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
      {isHere ? (
        <Chip tone="ok" icon={IconCheck}>
          Installed
        </Chip>
      ) : (
        <Button disabled aria-label={`Install Disabled: ${name}`}>
          Install Disabled
        </Button>
      )}
    </li>
  )
}
