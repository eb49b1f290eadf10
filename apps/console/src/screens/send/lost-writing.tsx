import type { PageNote, Unreadable } from '@faxdeck/contract'
import { losesWriting } from '@faxdeck/contract/page-notes'
import { PageNotes } from '../../ui/fax/page-notes.tsx'
import { SelectField } from '../../ui/form/fields.tsx'
import styles from './document/preview-pane.module.css'

const choices = [
  { value: 'refuse', label: 'Don’t send it' },
  { value: 'send', label: 'Send it with a note' },
] as const

interface Props {
  notes: readonly PageNote[]
  chosen: Unreadable
  /** The pages are drawn here: only then can a fax be held back for them. */
  isDrawnHere: boolean
  onChoose: (chosen: Unreadable) => void
}

/** What the fax would lose, page by page, and what is to become of it. Nothing when all writing can be read. */
export function LostWriting({ notes, chosen, isDrawnHere, onChoose }: Props) {
  if (notes.length === 0) return null
  return (
    <section className={styles.lost} aria-label="About the pages">
      <PageNotes notes={notes} />
      {isDrawnHere && notes.some(losesWriting) && (
        <SelectField
          label="If parts are unreadable"
          help="These parts are marked in red on the pages. The recipient won’t be able to read them."
          value={chosen}
          choices={choices}
          onChange={onChoose}
        />
      )}
    </section>
  )
}
