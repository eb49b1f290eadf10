import { useRef, useState, type SyntheticEvent } from 'react'
import { useSession } from '../../shell/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { IconSend } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { CoverFields } from './cover-fields.tsx'
import { nextCover } from './cover-draft.ts'
import { DocumentField } from './document-field.tsx'
import {
  addRecipients,
  blankDraft,
  changeDocument,
  documentOf,
  holdsWork,
  problemsOf,
  recipientsOf,
  removeRecipient,
} from './draft.ts'
import { EarlierDocument } from './earlier-document.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { usePreview, useSend } from './queries.ts'
import { QuickTips } from './quick-tips.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { RefusedFaxes } from './refused-faxes.tsx'
import styles from './send.module.css'
import { SentList } from './sent-list.tsx'
import { useDraft } from './use-draft.ts'

/** The Send screen: to whom, what, how it will look, and what became of it. */
export function SendScreen() {
  const { config, go } = useSession()
  const composed = useDraft()
  const { draft, change, changeCover } = composed
  const { documentFault, coverFault } = usePreview(draft)
  const [checked, setChecked] = useState({ number: false, document: false })
  const [clearing, setClearing] = useState(false)
  const numberInput = useRef<HTMLInputElement>(null)
  const say = useToast()
  const { send, busy } = useSend(composed, (accepted) => {
    setChecked({ number: false, document: false })
    const [first, ...more] = accepted
    const text = more.length > 0 ? `${accepted.length} faxes accepted` : 'Fax accepted'
    say(text, {
      action: { label: 'View', run: () => go('jobs', more.length === 0 && first ? { open: first.id } : {}) },
    })
  })

  const problems = problemsOf(draft)
  const isBlocked = Boolean(problems.number ?? problems.document ?? documentFault ?? coverFault)
  const recipients = recipientsOf(draft)

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked({ number: true, document: true })
    if (problems.number) numberInput.current?.focus()
    if (!isBlocked) send()
  }
  const add = (text: string) => {
    const next = addRecipients(draft, text, config.default_country)
    change(() => next)
    setChecked({ ...checked, number: next.typed !== '' })
  }
  const clear = () => {
    change((present) => ({ ...blankDraft, cover: nextCover(present.cover), sent: present.sent }))
    setChecked({ number: false, document: false })
    setClearing(false)
    numberInput.current?.focus()
  }
  return (
    <>
      <PageHead title="Send" purpose="Fax a document to one or more numbers. See every page before it leaves." />
      <div className={styles.columns}>
        <form className={styles.form} aria-label="New fax" noValidate onSubmit={submit}>
          <RecipientsField
            recipients={draft.recipients}
            typed={draft.typed}
            country={config.default_country}
            wrong={checked.number ? problems.number : undefined}
            enterSends={documentOf(draft) !== undefined && recipients.length > 0}
            input={numberInput}
            onType={(typed) => change((present) => ({ ...present, typed }))}
            onAdd={add}
            onRemove={(number) => change((present) => removeRecipient(present, number))}
          />
          <EarlierDocument change={change} />
          <DocumentField
            document={draft}
            limitMb={config.limits.max_file_size_mb}
            wrong={documentFault ?? (checked.document ? problems.document : undefined)}
            onChange={(next) => change((present) => changeDocument(present, next))}
          />
          <CoverFields cover={draft.cover} recipients={recipients.length} wrong={coverFault} onChange={changeCover} />
          <RefusedFaxes failed={draft.failed} onRetry={send} busy={busy} />
          <div className={styles.actions}>
            <p className={styles.blocked} role="alert">
              {isBlocked && checked.number && checked.document && 'Please fix the errors above before sending.'}
            </p>
            <Button disabled={busy || !holdsWork(draft)} onClick={() => setClearing(true)}>
              Clear
            </Button>
            <Button tone="primary" type="submit" busy={busy}>
              <IconSend size="1rem" aria-hidden="true" />
              {recipients.length > 1 ? `Send to ${recipients.length} numbers` : 'Send'}
            </Button>
          </div>
        </form>
        <div className={styles.side}>
          <div className={styles.card}>
            <PreviewPane
              draft={draft}
              recipients={recipients.length}
              onChoose={(unreadable) => change((present) => changeDocument(present, { unreadable }))}
            />
          </div>
          {draft.sent.length > 0 && (
            <div className={styles.card}>
              <SentList sent={draft.sent} onOpen={(id) => go('jobs', { open: id })} />
            </div>
          )}
          <QuickTips />
        </div>
      </div>
      {clearing && (
        <Confirm title="Clear this fax?" verb="Clear" danger onConfirm={clear} onClose={() => setClearing(false)}>
          The numbers and the document are removed from this form. Faxes already sent stay as they are.
        </Confirm>
      )}
    </>
  )
}
