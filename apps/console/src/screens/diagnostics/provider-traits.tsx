import { useQuery } from '@tanstack/react-query'
import { type Providers, providersQuery } from '../../api/overview.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { wordsFor } from '../../ui/words/check-words.ts'
import styles from './diagnostics.module.css'

type Entry = Providers['registry'][string]

const verifications: Readonly<Record<Exclude<Entry['traits']['inbound_verification'], 'none'>, string>> = {
  hmac: 'HMAC signature',
  basic: 'Basic auth',
  internal_secret: 'internal secret',
}

/** What a provider can do and needs, in few words each. */
function traitWords({ traits }: Entry): string[] {
  const { inbound_verification: verification, webhook_path: path } = traits
  const held = Object.entries(traits).flatMap(([name, value]) => (value === true ? [wordsFor(name)] : []))
  return [
    'Set up',
    ...held,
    ...(verification === 'none' ? [] : [`Verified by ${verifications[verification]}`]),
    ...(path ? [path] : []),
  ]
}

/** The providers in use, and what they can do. */
export function ProviderTraits() {
  const { data, error, isFetching, refetch } = useQuery(providersQuery)
  return (
    <Panel aria-label="Provider traits">
      <h2>Provider traits</h2>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} height={1.5} />}
      {data &&
        (['outbound', 'inbound'] as const).map((direction) => (
          <Traits key={direction} direction={direction} entry={data.registry[data.active[direction]]} />
        ))}
    </Panel>
  )
}

function Traits({ direction, entry }: { direction: 'outbound' | 'inbound'; entry: Entry | undefined }) {
  if (!entry) return null
  if (!entry.configured) {
    return (
      <div className={styles.test}>
        <h3>{wordsFor(direction)}: Not set up</h3>
        <p>
          {entry.name} is chosen. Until it is set up,{' '}
          {direction === 'inbound' ? 'only simulated faxes arrive.' : 'no fax can be sent.'}
        </p>
      </div>
    )
  }
  return (
    <div className={styles.test}>
      <h3>
        {wordsFor(direction)}: {entry.name}
      </h3>
      <ul className={styles.chips} aria-label={`Traits of ${entry.name}, ${direction}`}>
        {traitWords(entry).map((words) => (
          <li key={words}>
            <Chip tone="plain">{words}</Chip>
          </li>
        ))}
      </ul>
    </div>
  )
}
