import { isFaxNumber } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { providerName } from '../../../api/overview.ts'
import { randomKey } from '../../../api/random-key.ts'
import { sentFaxQuery } from '../../../api/sent-fax.ts'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { FaxStatusChip } from '../../../ui/control/status-chip.tsx'
import { ShortId } from '../../../ui/fax/masked-number.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { Panel } from '../../../ui/layout/card.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { Plan } from '../plan.ts'
import { sendTestPage } from '../queries.ts'
import styles from '../setup.module.css'

interface Question {
  to: string
  key: string
}

/** Offers to send one page to a number of the person's choice, by the way that is in force. */
export function TestPagePanel({ plan }: { plan: Plan }) {
  const [to, setTo] = useState('')
  const [checked, setChecked] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const [sent, setSent] = useState<{ id: string; status: string }>()
  const wrong = checked && !isFaxNumber(to) ? 'Please enter a valid phone number' : undefined
  const isPending = Object.keys(plan.changes).length > 0

  const ask = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isFaxNumber(to)) setQuestion({ to: to.trim(), key: randomKey() })
  }
  return (
    <Panel aria-label="Test page">
      <h3>Send a test page</h3>
      <form className={styles.testPage} noValidate onSubmit={ask}>
        <TextField
          label="Fax number (your own or one you know)"
          help={
            isPending
              ? 'Uses the settings in effect now. To test your changes, apply them first.'
              : 'One page marked as a test, without patient data.'
          }
          type="tel"
          placeholder="+1 555 555 0123"
          wrong={wrong}
          value={to}
          onChange={setTo}
        />
        <Button type="submit">Send test page</Button>
      </form>
      {sent && <Sent key={sent.id} sent={sent} />}
      {question && (
        <SendQuestion
          plan={plan}
          question={question}
          onClose={() => setQuestion(undefined)}
          onSent={(fax) => {
            setQuestion(undefined)
            setSent(fax)
          }}
        />
      )}
    </Panel>
  )
}

interface QuestionProps {
  plan: Plan
  question: Question
  onClose: () => void
  onSent: (fax: { id: string; status: string }) => void
}

function SendQuestion({ plan, question, onClose, onSent }: QuestionProps) {
  const { config } = useSession()
  const send = useAction(sendTestPage, { onDone: onSent, refreshes: [['jobs', 'newest'], ['health-status']] })
  return (
    <Confirm
      title={`Send a test page to ${question.to}?`}
      verb="Send"
      action={send}
      onConfirm={() => send.run(question)}
      onClose={onClose}
    >
      {config.test_line
        ? 'The test line is on: the page does not leave this machine.'
        : config.test_account !== null
          ? `This account is in test mode: ${config.test_account} sends no real fax.`
          : `This is a real call through ${providerName(config.backend, plan)}. The fax machine at that number will print the page, and the call may cost money.`}
    </Confirm>
  )
}

function Sent({ sent }: { sent: { id: string; status: string } }) {
  const { go } = useSession()
  const { data } = useQuery(sentFaxQuery(sent.id))
  return (
    <div className={styles.row}>
      <Button tone="quiet" onClick={() => go('jobs', { open: sent.id })}>
        Fax <ShortId id={sent.id} />
      </Button>
      <span role="status">
        <FaxStatusChip fax={data ?? sent} />
      </span>
      {data?.error && <span className={styles.quiet}>{data.error}</span>}
    </div>
  )
}
