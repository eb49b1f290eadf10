import type { Lines } from '@faxdeck/contract'
import { useState } from 'react'
import { providerName, type Providers } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './lines.module.css'
import { hangUp } from './queries.ts'

type Channel = Lines['channels'][number]

/** "Page 2 of 3 at 9,600 bit/s". */
function phaseWords({ phase, page, pages, speed, direction }: Channel): string {
  if (phase === 'unknown') return 'In progress'
  if (phase === 'dialing') return 'Ringing'
  if (phase === 'negotiating') return 'Negotiating'
  const of = pages === null ? '' : ` of ${pages}`
  const at = speed === null ? '' : ` at ${grouped(speed)} bit/s`
  return `${direction === 'sent' ? 'Sending' : 'Receiving'} page ${page ?? 1}${of}${at}`
}

/** What is lost, by how far the call has come. */
function consequence({ phase, page }: Channel): string {
  if (phase === 'unknown') {
    return 'Faxdeck doesn’t know how far the call has progressed. Pages may already have been printed.'
  }
  if (phase === 'dialing') return 'The other fax machine hasn’t answered. Nothing has been sent.'
  if (phase === 'negotiating') return 'The fax machines are still negotiating. No page has been sent.'
  const before =
    page !== null && page > 1 ? `${page === 2 ? 'Page 1 has' : `Pages 1 to ${page - 1} have`} arrived. ` : ''
  return `${before}All or part of the page being sent may still print.`
}

/** The calls that are up: who, how far, since when. A fax that is sent can be hung up. */
export function Channels({ channels, providers }: { channels: readonly Channel[]; providers: Providers | undefined }) {
  const [asked, setAsked] = useState<Channel>()
  const end = useAction(hangUp, { refreshes: [['lines'], ['jobs']], onDone: () => setAsked(undefined) })
  // What the call is doing now counts, not what it did when the button was pressed.
  const asking = asked && (channels.find(({ job_id }) => job_id === asked.job_id) ?? asked)
  const close = () => {
    end.reset()
    setAsked(undefined)
  }
  return (
    <>
      {channels.length === 0 && <p className="muted">No calls right now.</p>}
      <ShowAll items={channels} first={6} what="calls">
        {(shown) => (
          <ul className={styles.channels} aria-label="Calls now">
            {shown.map((channel) => (
              <Call
                key={`${channel.job_id ?? 'received'} ${channel.since} ${channel.number}`}
                channel={channel}
                provider={providerName(channel.backend, providers)}
                onHangUp={() => setAsked(channel)}
              />
            ))}
          </ul>
        )}
      </ShowAll>
      {asking && (
        <Confirm
          title="Hang up this call?"
          verb="Hang up"
          danger
          action={end}
          onConfirm={() => asking.job_id && end.run(asking.job_id)}
          onClose={close}
        >
          <p>{consequence(asking)}</p>
          <p>The fax is canceled and will not be retried. This can’t be undone.</p>
        </Confirm>
      )}
    </>
  )
}

function Call({ channel, provider, onHangUp }: { channel: Channel; provider: string; onHangUp: () => void }) {
  const { go } = useSession()
  const { job_id: job, number, since, direction } = channel
  return (
    <li>
      <span>
        {direction === 'sent' ? 'To ' : 'From '}
        <MaskedNumber number={number} />
        <span className="muted"> · {provider}</span>
        <br />
        {phaseWords(channel)}
        <span className="muted">
          {' · since '}
          <Time at={since} seconds />
        </span>
      </span>
      {job && (
        <span className={styles.actions}>
          <Button tone="quiet" onClick={() => go('jobs', { open: job })}>
            Open fax
          </Button>
          <Button onClick={onHangUp}>Hang up</Button>
        </span>
      )}
    </li>
  )
}
