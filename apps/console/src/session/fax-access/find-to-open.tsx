import type { OpenableFax } from '@faxdeck/contract'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { fieldsOf, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { countPages } from '../../ui/words/figures.ts'
import { useSession } from '../session.ts'
import styles from './fax-access.module.css'
import { openFax, placeOf, shortestReason } from './open-fax.ts'
import { ReasonField } from './reason-field.tsx'

const blank = { reason: '', number: '', day: '', words: '' }
type Sought = typeof blank

/** The day as instants, by the clock of this browser. */
function boundsOf(day: string) {
  if (day === '') return {}
  const from = new Date(`${day}T00:00:00`)
  const until = new Date(from)
  until.setDate(until.getDate() + 1)
  return { from: from.toISOString(), until: until.toISOString() }
}

const find = ({ reason, number, words, day }: Sought) =>
  client.findFaxesToOpen({ body: { reason, ...(number && { number }), ...(words && { words }), ...boundsOf(day) } })

/** Looks for a fax of another group by number, day or words, once a reason is given, and opens it. */
export function FindToOpen({ onClose }: { onClose: () => void }) {
  const { config, go } = useSession()
  const [typed, setTyped] = useState(blank)
  const search = useAction(find)
  const field = fieldsOf(typed, setTyped)
  const sought = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim()])) as Sought
  const isReady = sought.reason.length >= shortestReason && (sought.number !== '' || sought.words !== '')
  return (
    <FormDialog
      title="Find a fax with a reason"
      verb="Search"
      ready={isReady}
      action={search}
      onSubmit={() => search.run(sought)}
      onClose={onClose}
    >
      <p>
        In an emergency, you can search the faxes of all groups and read one for {config.break_glass_minutes} minutes.
        Your name, the reason and each search are recorded.
      </p>
      <ReasonField {...field('reason')} />
      <TextField
        label="Number"
        help="In full: of the sender or the recipient."
        type="tel"
        maxLength={30}
        {...field('number')}
      />
      <TextField
        label="Words on a page"
        help="Instead of the number, or as well."
        maxLength={200}
        {...field('words')}
      />
      <TextField label="Day" help="Leave blank to search all days." type="date" {...field('day')} />
      {search.reply && (
        <Found
          {...search.reply}
          reason={sought.reason}
          onOpened={(fax) => go(placeOf[fax.direction], { open: fax.id, replace: true })}
        />
      )}
    </FormDialog>
  )
}

interface FoundProps {
  faxes: readonly OpenableFax[]
  more: boolean
  reason: string
  onOpened: (fax: OpenableFax) => void
}

/** As much of each fax as it takes to choose it, and opening it. */
function Found({ faxes, more, reason, onOpened }: FoundProps) {
  const open = useAction(
    async (fax: OpenableFax) => {
      if (!fax.visible) await openFax({ id: fax.id, reason })
      return fax
    },
    { onDone: onOpened },
  )
  return (
    <section aria-label="Found faxes" aria-live="polite">
      {faxes.length === 0 && <p className="muted">No fax matches. Check the number and the day.</p>}
      <ul className={styles.found}>
        {faxes.map((fax) => (
          <li key={fax.id}>
            <span>
              {fax.direction === 'sent' ? 'Sent to' : 'Received from'}{' '}
              {fax.number === null ? 'an unknown number' : `…${fax.number.slice(-4)}`}, <Time at={fax.at} dated />
              {fax.pages !== null && `, ${countPages(fax.pages)}`}
            </span>
            <Button
              busy={open.busy}
              disabled={reason.length < shortestReason}
              aria-label={`Open fax ${fax.id.slice(0, 8)}`}
              onClick={() => open.run(fax)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
      {more && <p className="muted">There are more. Choose a day, or add words.</p>}
      {open.error && <ErrorNotice error={open.error} />}
    </section>
  )
}
