import { type RecipientColumns, readRecipients, readTable } from '@faxdeck/contract/recipients'
import { useMemo, useState } from 'react'
import { Checkbox, SelectField } from '../../../ui/form/fields.tsx'
import { FormDialog } from '../../../ui/overlay/dialog.tsx'
import { grouped } from '../../../ui/words/figures.ts'
import styles from './list-summary.module.css'
import { recipientInWords, type RecipientList, summaryOf } from './recipient-list.ts'

/** Takes recipients from a file. What its columns are is shown and asked; a list of numbers alone is added at once. */
export function useRecipientFile(add: (text: string, columns?: RecipientColumns) => void, country: string) {
  const [text, setText] = useState<string>()
  const close = () => setText(undefined)
  const use = (columns: RecipientColumns) => {
    close()
    if (text !== undefined) add(text, columns)
  }
  return {
    take: (given: string) => (readTable(given) ? setText(given) : add(given)),
    question: text !== undefined && <ColumnsDialog text={text} country={country} onUse={use} onClose={close} />,
  }
}

interface Props {
  text: string
  country: string
  onUse: (columns: RecipientColumns) => void
  onClose: () => void
}

const fields = [
  { key: 'number', label: 'Fax number' },
  { key: 'name', label: 'Name' },
  { key: 'reference', label: 'Reference' },
] as const

/** So many recipients are enough to see whether the columns are right. */
const maxShown = 3

/** Asks which column holds what, and shows what is read then. */
function ColumnsDialog({ text, country, onUse, onClose }: Props) {
  const table = useMemo(() => readTable(text), [text])
  const [chosen, setChosen] = useState(table?.columns)
  const read = useMemo(() => chosen && readRecipients(text, chosen), [text, chosen])
  if (!table || !chosen || !read) return null
  const list: RecipientList = { ...read, duplicates: [] }
  const count = read.recipients.length
  const [head = []] = table.rows
  const width = table.rows.reduce((most, { length }) => Math.max(most, length), 0)
  const nameOf = (at: number) =>
    head[at] ? (chosen.named ? head[at] : `Column ${at + 1}: ${head[at]}`) : `Column ${at + 1}`
  const columns = Array.from({ length: width }, (_, at) => ({ value: String(at), label: nameOf(at) }))
  const none = { value: '-1', label: 'None' }
  return (
    <FormDialog
      title="Which column holds what?"
      verb={count === 1 ? 'Use 1 number' : `Use ${grouped(count)} numbers`}
      ready={count > 0}
      onSubmit={() => onUse(chosen)}
      onClose={onClose}
    >
      {fields.map(({ key, label }) => (
        <SelectField
          key={key}
          label={label}
          value={String(chosen[key])}
          choices={key === 'number' ? columns : [none, ...columns]}
          onChange={(value) => setChosen({ ...chosen, [key]: Number(value) })}
        />
      ))}
      <Checkbox
        label="The first row names the columns"
        checked={chosen.named}
        onChange={(named) => setChosen({ ...chosen, named })}
      />
      <section className={styles.part} aria-label="What is read">
        <h3 role="status">{summaryOf(list)}</h3>
        <ul>
          {read.recipients.slice(0, maxShown).map((recipient) => (
            <li key={recipient.row}>
              {recipientInWords(recipient, country)}
              {recipient.reference && `, ${recipient.reference}`}
            </li>
          ))}
          {read.refused.slice(0, maxShown).map(({ row, text: cell, reason }) => (
            <li key={row}>{`Row ${grouped(row)}: ${cell || 'empty'}. ${reason}`}</li>
          ))}
        </ul>
      </section>
    </FormDialog>
  )
}
