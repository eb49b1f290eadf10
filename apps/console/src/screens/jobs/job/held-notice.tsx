import type { HeldFax } from '@faxdeck/contract'
import { IconHand } from '../../../ui/control/icons.ts'
import { Note } from '../../../ui/layout/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { foundWords } from './held-words.ts'
import styles from './uncertain-choices.module.css'

/** Why a fax is held, and what the providers list. */
export function HeldNotice({ held }: { held: HeldFax }) {
  return (
    <section className={styles.box} aria-label="Why this fax is held">
      <p className={styles.lead}>
        <IconHand size="1rem" aria-hidden="true" />
        Held: this fax may already have been sent.
      </p>
      <p>
        Backup made: <Time at={held.as_of} />. Restored: <Time at={held.since} />. These records don’t show what
        happened in between.
      </p>
      {held.found.length > 0 ? (
        <ul>
          {held.found.map((fax) => (
            <li key={`${fax.provider} ${fax.at}`} className={styles.whole}>
              {foundWords(fax)}
            </li>
          ))}
        </ul>
      ) : (
        <p>{nothingFound(held)}</p>
      )}
      <p>If it was not sent, release it. If it was, cancel it.</p>
    </section>
  )
}

function nothingFound({ asked_at: asked, sentence }: HeldFax): string {
  if (asked !== null) return 'The provider lists no other fax to this number since the backup.'
  // The last words of the sentence say who could not be asked.
  const [, answer = 'The provider hasn’t been checked yet.'] = sentence.split('until you release it. ')
  return answer
}

/** What to do with all of them. */
export function HeldNote() {
  return (
    <div className={styles.above}>
      <Note tone="warn">
        These faxes were waiting or in progress when the backup was made, and may have been sent since then. Nothing is
        sent until you release them. Select the faxes to release or cancel.
      </Note>
    </div>
  )
}
