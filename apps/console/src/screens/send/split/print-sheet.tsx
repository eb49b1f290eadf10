import { isFaxNumber } from '@faxdeck/contract/phone'
import { type SubmitEvent, useId, useState } from 'react'
import { saveFile } from '../../../api/download.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { doubtsIn, UnlikelyQuestion } from '../../../ui/fax/unlikely-question.tsx'
import form from '../../../ui/form/fields.module.css'
import { TextField } from '../../../ui/form/fields.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { printSheet } from './queries.ts'

/** The way to a sheet that stands before the pages of one fax in a scan. */
export function PrintSheet() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Print a separator sheet</Button>
      {isOpen && <SheetDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SheetDialog({ onClose }: { onClose: () => void }) {
  const [entered, setEntered] = useState({ to: '', reference: '' })
  const [checked, setChecked] = useState(false)
  const formId = useId()
  const print = useAction(printSheet, { onDone: (pdf) => saveFile(pdf, 'separator-sheet.pdf') })
  const wrong = isFaxNumber(entered.to) ? undefined : 'Please enter a valid phone number'
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!wrong) print.run({ ...entered, isMeant: false })
  }
  const doubts = doubtsIn(print.error)
  const footer = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button tone="primary" type="submit" form={formId} busy={print.busy}>
        Download PDF
      </Button>
    </>
  )
  if (doubts.length > 0)
    return (
      <UnlikelyQuestion
        doubts={doubts}
        verb="Print anyway"
        action={{ busy: print.busy }}
        onConfirm={() => print.run({ ...entered, isMeant: true })}
        onClose={print.reset}
      />
    )
  return (
    <Dialog title="Print a separator sheet" onClose={onClose} footer={footer}>
      <form id={formId} className={form.form} noValidate onSubmit={submit}>
        <p>
          Put one sheet before the pages of each fax, and scan everything together. Each fax goes to the number on its
          sheet. The sheets themselves are not sent. You can reuse a sheet.
        </p>
        <TextField
          label="Fax number"
          inputMode="tel"
          autoFocus
          wrong={checked ? wrong : undefined}
          value={entered.to}
          onChange={(to) => setEntered({ ...entered, to })}
        />
        <TextField
          label="Reference"
          help="Printed on the sheet and shown as the name of the fax under Jobs. Leave blank for none."
          maxLength={80}
          value={entered.reference}
          onChange={(reference) => setEntered({ ...entered, reference })}
        />
        {print.error && <ErrorNotice error={print.error} />}
      </form>
    </Dialog>
  )
}
