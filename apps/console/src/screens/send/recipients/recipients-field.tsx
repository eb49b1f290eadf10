import { formatNumber, isFaxNumber } from '@faxdeck/contract/phone'
import type { ListedRecipient } from '@faxdeck/contract/recipients'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { IconX } from '../../../ui/control/icons.ts'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { Field } from '../../../ui/form/fields.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { shortTime } from '../../../ui/time.tsx'
import { grouped } from '../../../ui/words/figures.ts'
import { recipientQuery } from '../queries.ts'
import listSummaryStyles from './list-summary.module.css'
import { caretAfterFormat } from './phone-format.ts'
import { readRecipientFile, recipientFiles } from './recipient-file.ts'
import { recipientInWords, type RecipientList, summaryOf } from './recipient-list.ts'
import styles from './recipients-field.module.css'

interface Props {
  recipients: readonly string[]
  /** Many recipients, shown as a summary. */
  list: RecipientList | undefined
  typed: string
  country: string
  wrong: string | undefined
  /** What Enter does now: it adds the number, or sends when the document is there too. */
  enterSends: boolean
  input: RefObject<HTMLInputElement | null>
  onType: (typed: string) => void
  onAdd: (text: string) => void
  onFile: (text: string) => void
  onRemove: (number: string) => void
  onRemoveList: () => void
}

const several = /[,;\t\r\n]/

/** Says whether a number was faxed before, and how it will be dialed. */
function useReadBack(number: string, country: string): string | undefined {
  const { data, error } = useQuery({ ...recipientQuery(number), enabled: isFaxNumber(number) })
  if (error) return `${error.failure}. You can still send it.`
  if (!data) return undefined
  const dials = `Dials ${formatNumber(data.to, country)}.`
  if (data.faxed_before === 0) return `${dials} First fax to this number. Check it digit by digit.`
  const times = data.faxed_before === 1 ? 'once' : `${data.faxed_before} times`
  const last = data.last_delivered_at ? `, last delivered ${shortTime(data.last_delivered_at)}` : ', never delivered'
  return `${dials} Faxed ${times} before${last}.`
}

function Recipient({ number, onRemove }: { number: string; onRemove: (number: string) => void }) {
  const { data } = useQuery(recipientQuery(number))
  return (
    <li className={styles.recipient}>
      {number}
      {data?.faxed_before === 0 && <Chip tone="info">First time</Chip>}
      <button type="button" aria-label={`Remove ${number}`} onClick={() => onRemove(number)}>
        <IconX size="0.875rem" aria-hidden="true" />
      </button>
    </li>
  )
}

/** The numbers a fax goes to: typed and formatted, added by Enter, comma or paste, taken back by Backspace. */
export function RecipientsField(props: Props) {
  const { recipients, list, typed, country, wrong, enterSends, input } = props
  const { onType, onAdd, onFile, onRemove, onRemoveList } = props
  const readBack = useReadBack(typed, country)
  const [refused, setRefused] = useState<string>()
  const hint = enterSends
    ? 'Press Enter to send, or a comma to add another number.'
    : 'Press Enter or a comma to add the number. You can paste up to 5,000 numbers, including from a spreadsheet, or choose a CSV or vCard file.'

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const { value } = target
    if (several.test(value)) {
      onAdd(value)
      return
    }
    const formatted = formatNumber(value, country)
    const caret = caretAfterFormat(value, target.selectionStart ?? value.length, formatted)
    // Set before React compares: it then leaves the field, and with it the caret, alone.
    target.value = formatted
    target.setSelectionRange(caret, caret)
    onType(formatted)
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!several.test(text.trim())) return
    event.preventDefault()
    onAdd(text)
  }
  const takeFile = async (file: File) => {
    const read = await readRecipientFile(file)
    setRefused('problem' in read ? read.problem : undefined)
    if ('text' in read) onFile(read.text)
  }
  const press = (event: KeyboardEvent) => {
    const last = recipients.at(-1)
    if (event.key === 'Enter' && !enterSends) {
      event.preventDefault()
      onAdd(typed)
    } else if (event.key === 'Backspace' && typed === '' && last) {
      event.preventDefault()
      onRemove(last)
      onType(last)
    }
  }
  return (
    <Field label="Destination number" help={readBack ?? hint} wrong={refused ?? wrong}>
      {(names) => (
        <div className={styles.box} data-wrong={names['aria-invalid'] || undefined}>
          {list && <ListSummary list={list} country={country} onClear={onRemoveList} />}
          {recipients.length > 0 && (
            <ul className={styles.recipients} aria-label="Recipients">
              {recipients.map((number) => (
                <Recipient key={number} number={number} onRemove={onRemove} />
              ))}
            </ul>
          )}
          <input
            {...names}
            ref={input}
            type="tel"
            autoComplete="off"
            placeholder={list || recipients.length > 0 ? 'Another number' : '(555) 555-0123 or +44 207 946 0958'}
            value={typed}
            onChange={change}
            onPaste={paste}
            onKeyDown={press}
          />
          <label className={styles.file}>
            From a file…
            <input
              type="file"
              className="unseen"
              accept={recipientFiles}
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) void takeFile(file)
                target.value = ''
              }}
            />
          </label>
        </div>
      )}
    </Field>
  )
}

/** So many lines of a list are shown: nobody reads thousands in a dialog. */
const maxShown = 200

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  const more = lines.length - maxShown
  return (
    <section className={listSummaryStyles.part}>
      <h3>
        {title} ({grouped(lines.length)})
      </h3>
      <ul tabIndex={0} role="list" aria-label={title}>
        {lines.slice(0, maxShown).map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
      {more > 0 && <p className="muted">{grouped(more)} more</p>}
    </section>
  )
}

/** What was read of a list, what was left out of it and why. */
function ListDialog({ list, country, onClose }: { list: RecipientList; country: string; onClose: () => void }) {
  const inWords = (recipient: ListedRecipient) => recipientInWords(recipient, country)
  const inRow = ({ row }: { row: number }) => (row > 0 ? `Row ${grouped(row)}: ` : '')
  return (
    <Dialog title="Recipients" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className={listSummaryStyles.parts}>
        <Lines
          title="Invalid"
          lines={list.refused.map((row) => `${inRow(row)}${row.text || 'empty'}. ${row.reason}`)}
        />
        <Lines title="Duplicates removed" lines={list.duplicates.map((each) => `${inRow(each)}${inWords(each)}`)} />
        <Lines title="Will be faxed" lines={list.recipients.map(inWords)} />
      </div>
    </Dialog>
  )
}

/** A long list of recipients in one line, which opens for a closer look. */
function ListSummary({ list, country, onClear }: { list: RecipientList; country: string; onClear: () => void }) {
  const [shown, setShown] = useState(false)
  return (
    <div className={listSummaryStyles.summary}>
      <p role="status">{summaryOf(list)}</p>
      <Button tone="quiet" onClick={() => setShown(true)}>
        Show
      </Button>
      <Button tone="quiet" onClick={onClear}>
        Remove list
      </Button>
      {shown && <ListDialog list={list} country={country} onClose={() => setShown(false)} />}
    </div>
  )
}
