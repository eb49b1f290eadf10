import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { fieldsOf, SelectField, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice, Note } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { peopleQuery, type RecordsAsked, saveRecords } from './queries.ts'

const kinds = [
  { value: 'number', label: 'A number' },
  { value: 'person', label: 'A person' },
] as const

const blank: RecordsAsked = { kind: 'number', subject: '', reason: '' }

/** Downloads, and stops when the dialog is closed. */
function useExport(onDone: () => void) {
  const stop = useRef<AbortController>(undefined)
  const { data: people } = useQuery({ ...peopleQuery, enabled: false })
  useEffect(() => () => stop.current?.abort(), [])
  return useAction(
    (asked: RecordsAsked) => {
      stop.current = new AbortController()
      const name = people?.find(({ id }) => id === asked.subject)?.name ?? asked.subject
      const whose = asked.kind === 'number' ? `number-ending-${asked.subject.slice(-4)}` : name
      return saveRecords(asked, whose.trim().replace(/[^\p{L}\p{N}.-]+/gu, '-'), stop.current.signal)
    },
    { onDone, toast: 'Records exported' },
  )
}

/** Asks whose records are exported and why, and downloads them. */
export function ExportRecords({ onClose }: { onClose: () => void }) {
  const [asked, setAsked] = useState(blank)
  const exporting = useExport(onClose)
  const whole = { ...asked, subject: asked.subject.trim(), reason: asked.reason.trim() }
  return (
    <FormDialog
      title="Export records"
      verb="Export"
      ready={whole.subject !== '' && whole.reason !== ''}
      action={exporting}
      stoppable
      onSubmit={() => exporting.run(whole)}
      onClose={onClose}
    >
      <p>
        Downloads a zip file with everything about one number or person: faxes and documents, approval requests,
        uploads, webhook deliveries, audit trail entries, and a manifest with the SHA-256 hash of each file.
      </p>
      <SelectField
        label="Records of"
        choices={kinds}
        value={asked.kind}
        onChange={(kind) => setAsked({ ...asked, kind, subject: '' })}
      />
      <WhoseField asked={asked} onChange={(subject) => setAsked({ ...asked, subject })} />
      <TextField
        label="Reason"
        help="For example, “Access request, May 3”. Recorded in the manifest and the audit trail."
        maxLength={500}
        {...fieldsOf(asked, setAsked)('reason')}
      />
      <Note tone="warn">
        The file is not encrypted. For thousands of faxes, use the command line: faxdeck records export.
      </Note>
      {exporting.busy && <p role="status">Collecting the records. Keep this dialog open. To stop, select Cancel.</p>}
    </FormDialog>
  )
}

interface WhoseProps {
  asked: RecordsAsked
  onChange: (subject: string) => void
}

function WhoseField({ asked: { kind, subject }, onChange }: WhoseProps) {
  const { data: people, error, refetch } = useQuery({ ...peopleQuery, enabled: kind === 'person' })
  if (kind === 'number')
    return <TextField label="Number" type="tel" placeholder="+15555550123" value={subject} onChange={onChange} />
  const listed = (people ?? []).map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` }))
  return (
    <>
      <SelectField
        label="Person"
        choices={[{ value: '', label: people?.length === 0 ? 'Nobody has an account' : 'Choose…' }, ...listed]}
        value={subject}
        onChange={onChange}
      />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
    </>
  )
}
