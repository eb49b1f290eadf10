import type { BroadcastDetail, Unreadable } from '@faxdeck/contract'
import type { RecipientColumns } from '@faxdeck/contract/recipients'
import { type SyntheticEvent, useRef, useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconSend } from '../../ui/control/icons.ts'
import { UnlikelyQuestion } from '../../ui/fax/unlikely-question.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { grouped } from '../../ui/words/figures.ts'
import { nextCover } from './cover-draft.ts'
import { CoverFields } from './cover-fields.tsx'
import { DocumentField } from './document/document-field.tsx'
import { EarlierDocument } from './document/earlier-document.tsx'
import { PreviewPane } from './document/preview-pane.tsx'
import {
  addRecipients,
  blankDraft,
  changeDocument,
  documentOf,
  type Draft,
  holdsWork,
  problemsOf,
  recipientsOf,
  removeRecipient,
  type SentFax,
  tonesOf,
} from './draft.ts'
import { type FaxPreview, usePreview } from './queries.ts'
import { QuickTips } from './quick-tips.tsx'
import { useRecipientFile } from './recipients/columns-dialog.tsx'
import { ConfirmBroadcast } from './recipients/confirm-broadcast.tsx'
import { GroupField } from './recipients/group-field.tsx'
import { RecipientsField } from './recipients/recipients-field.tsx'
import { RefusedFaxes } from './recipients/refused-faxes.tsx'
import { SentList } from './recipients/sent-list.tsx'
import { useAsking } from './recipients/use-asking.ts'
import styles from './send.module.css'
import { SenderQuestion, useSenderQuestion } from './sender-question.tsx'
import { PrintSheet } from './split/print-sheet.tsx'
import { SplitChoice } from './split/split-choice.tsx'
import { useDraft } from './use-draft.ts'
import { useSubmission } from './use-submission.ts'

const purpose = 'Fax a document to one or more numbers. Preview every page first.'

/** Which fields were looked at for faults. */
const unchecked = { number: false, document: false }

const sendLabel = (splits: boolean, count: number) => {
  if (splits) return count > 1 ? `Send ${count} faxes` : 'Send'
  return count > 1 ? `Send to ${grouped(count)} numbers` : 'Send'
}

interface SideProps {
  draft: Draft
  recipients: number
  onChoose: (unreadable: Unreadable) => void
  onOpen: (id: string) => void
}

/** What stands beside the form: the pages as they will be faxed, and what was sent just now. */
function Side({ draft, recipients, onChoose, onOpen }: SideProps) {
  return (
    <div className={styles.side}>
      <div className={styles.card}>
        <PreviewPane draft={draft} recipients={recipients} onChoose={onChoose} />
      </div>
      {draft.sent.length > 0 && (
        <div className={styles.card}>
          <SentList sent={draft.sent} onOpen={onOpen} />
        </div>
      )}
      <QuickTips />
    </div>
  )
}

interface ActionsProps {
  /** Sending was tried, and a field stands in its way. */
  isBlocked: boolean
  isEmpty: boolean
  isReady: boolean
  busy: boolean
  label: string
  onClear: () => void
}

function Actions({ isBlocked, isEmpty, isReady, busy, label, onClear }: ActionsProps) {
  return (
    <div className={styles.actions}>
      <p className={styles.blocked} role="alert">
        {isBlocked && 'Please fix the errors above before sending.'}
      </p>
      <Button disabled={busy || isEmpty} onClick={onClear}>
        Clear
      </Button>
      <Button icon={IconSend} tone="primary" type="submit" busy={busy} disabled={!isReady}>
        {label}
      </Button>
    </div>
  )
}

function ConfirmClear(on: { onConfirm: () => void; onClose: () => void }) {
  return (
    <Confirm title="Clear this fax?" verb="Clear" danger {...on}>
      The numbers and the document are removed from this form. Faxes already sent stay as they are.
    </Confirm>
  )
}

interface QuestionsProps {
  draft: Draft
  count: number
  preview: FaxPreview | undefined
  asking: ReturnType<typeof useAsking>
}

/** What a person is asked before the fax is sent. */
function Questions({ draft, count, preview, asking: { found, close, confirmEach, confirmBroadcast } }: QuestionsProps) {
  const { config } = useSession()
  const { list, cover } = draft
  if (!found) return null
  if (!list) return <UnlikelyQuestion doubts={found.unlikely} onConfirm={confirmEach} onClose={close} />
  const counts = {
    list,
    cover,
    count,
    preview,
    tones: tonesOf(draft),
    found,
    test: config.test_line || config.test_account !== null,
  }
  return <ConfirmBroadcast {...counts} onClose={close} onConfirm={confirmBroadcast} />
}

/** Says that what was sent is accepted, and leads to it. */
function useAccepted(onAccepted: () => void) {
  const { go } = useSession()
  const say = useToast()
  const onSent = (accepted: SentFax[]) => {
    onAccepted()
    const [first, ...more] = accepted
    const text = more.length > 0 ? `${accepted.length} faxes accepted` : 'Fax accepted'
    say(text, {
      action: { label: 'View', run: () => go('jobs', more.length === 0 && first ? { open: first.id } : {}) },
    })
  }
  const onBroadcast = ({ id, faxes }: BroadcastDetail) => {
    onAccepted()
    say(`${grouped(faxes)} faxes accepted`)
    go('broadcasts', { open: id })
  }
  return { onSent, onBroadcast }
}

/** The Send screen: to whom, what, how it will look, and what became of it. */
export function SendScreen() {
  const { config, go } = useSession()
  const composed = useDraft()
  const { draft, change, changeCover } = composed
  const { data: preview, documentFault, coverFault } = usePreview(draft)
  const [checked, setChecked] = useState(unchecked)
  const [clearing, setClearing] = useState(false)
  const numberInput = useRef<HTMLInputElement>(null)
  const accepted = useAccepted(() => setChecked(unchecked))
  const submission = useSubmission(composed, accepted)
  const { splits, count, isReady } = submission
  const asking = useAsking(composed, submission)
  const { busy, error } = asking
  const sender = useSenderQuestion(asking.send)
  const send = sender.start

  const problems = problemsOf(draft)
  const isBlocked = Boolean(problems.number ?? problems.document ?? documentFault ?? coverFault)
  const recipients = recipientsOf(draft)

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked({ number: true, document: true })
    if (problems.number) numberInput.current?.focus()
    if (isBlocked || !isReady || busy) return
    send()
  }
  const changePart = (part: Parameters<typeof changeDocument>[1]) => change((present) => changeDocument(present, part))
  const chooseUnreadable = (unreadable: Unreadable) => changePart({ unreadable })
  const add = (text: string, columns?: RecipientColumns) => {
    const next = addRecipients(draft, text, config.default_country, columns)
    change(() => next)
    setChecked({ ...checked, number: next.typed !== '' })
  }
  const file = useRecipientFile(add, config.default_country)
  const openJob = (id: string) => go('jobs', { open: id })
  const clear = () => {
    change((present) => ({ ...blankDraft, cover: nextCover(present.cover), sent: present.sent }))
    setChecked(unchecked)
    setClearing(false)
    numberInput.current?.focus()
  }
  return (
    <>
      <PageHead title="Send" purpose={purpose} actions={<PrintSheet />} />
      <div className={styles.columns}>
        <form className={styles.form} aria-label="New fax" noValidate onSubmit={submit}>
          {!splits && (
            <RecipientsField
              recipients={draft.recipients}
              list={draft.list}
              typed={draft.typed}
              country={config.default_country}
              wrong={checked.number ? problems.number : undefined}
              enterSends={documentOf(draft) !== undefined && recipients.length > 0}
              input={numberInput}
              onType={(typed) => change((present) => ({ ...present, typed }))}
              onAdd={add}
              onFile={file.take}
              onRemove={(number) => change((present) => removeRecipient(present, number))}
              onRemoveList={() => change((present) => ({ ...present, list: undefined, broadcastKey: undefined }))}
            />
          )}
          <EarlierDocument draft={draft} change={change} />
          <DocumentField
            document={draft}
            limitMb={config.limits.max_file_size_mb}
            wrong={documentFault ?? (checked.document ? problems.document : undefined)}
            onChange={changePart}
            onRecipients={file.take}
          />
          <SplitChoice
            draft={draft}
            country={config.default_country}
            onSplit={(wanted) => change((present) => ({ ...present, split: wanted }))}
            onChoose={chooseUnreadable}
          />
          <GroupField group={draft.group} onChange={(group) => changePart({ group })} />
          <CoverFields cover={draft.cover} recipients={count} wrong={coverFault} onChange={changeCover} />
          {error && <ErrorNotice error={error} onRetry={send} busy={busy} />}
          <RefusedFaxes failed={draft.failed} onRetry={send} busy={busy} />
          <Actions
            isBlocked={isBlocked && checked.number && checked.document}
            isEmpty={!holdsWork(draft)}
            isReady={isReady}
            busy={busy}
            label={sendLabel(splits, count)}
            onClear={() => setClearing(true)}
          />
        </form>
        <Side draft={draft} recipients={recipients.length} onChoose={chooseUnreadable} onOpen={openJob} />
      </div>
      <Questions draft={draft} count={count} preview={preview} asking={asking} />
      {sender.asks && <SenderQuestion {...sender} />}
      {file.question}
      {clearing && <ConfirmClear onConfirm={clear} onClose={() => setClearing(false)} />}
    </>
  )
}
