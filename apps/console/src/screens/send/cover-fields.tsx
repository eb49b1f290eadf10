import type { KeyboardEvent } from 'react'
import { fieldsOf, SelectField, TextArea, TextField } from '../../ui/form/fields.tsx'
import type { CoverDraft } from './cover-draft.ts'
import styles from './cover-fields.module.css'

interface Props {
  cover: CoverDraft
  /** How many get this fax. */
  recipients: number
  wrong: string | undefined
  onChange: (change: Partial<CoverDraft>) => void
}

const templates = [
  { value: 'none', label: 'None' },
  { value: 'plain', label: 'Plain' },
  { value: 'formal', label: 'Formal' },
  { value: 'confidential', label: 'Confidential' },
] as const
const templateHelp = {
  none: 'No cover page.',
  plain: 'One page before the document: recipient, sender, date and number of pages.',
  formal: 'Sender and recipient side by side, with a misdirected-fax notice.',
  confidential: 'Marked CONFIDENTIAL, with a health information notice.',
}
const longestLine = 200
const longestNote = 2000

/** Enter sends from the number alone: here it would send a cover that is half written. */
const keepEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

/** The cover page: none, or one of the templates and what stands on it. */
export function CoverFields({ cover, recipients, wrong, onChange }: Props) {
  const field = fieldsOf(cover, onChange)
  const line = { maxLength: longestLine, onKeyDown: keepEnter }
  return (
    <div className={styles.cover}>
      <SelectField
        label="Cover page"
        help={templateHelp[cover.template]}
        wrong={wrong}
        choices={templates}
        {...field('template')}
      />
      {cover.template !== 'none' && (
        <>
          <div className={styles.sides}>
            <TextField
              {...line}
              {...(recipients > 1 ? { help: 'Every recipient sees this name.' } : {})}
              label="For"
              {...field('to')}
            />
            <TextField
              {...line}
              label="From"
              help="Leave blank to use the name on the header line, if there is one."
              {...field('from')}
            />
          </div>
          <TextField {...line} label="Subject" {...field('subject')} />
          <TextArea
            label="Note"
            help="Must fit on one page. Not saved in this browser."
            maxLength={longestNote}
            {...field('note')}
          />
        </>
      )}
    </div>
  )
}
