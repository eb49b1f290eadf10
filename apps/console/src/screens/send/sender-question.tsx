import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { useSessionState } from '../../api/use-session-state.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { fieldsOf, TextField } from '../../ui/form/fields.tsx'
import { Confirm, FormDialog } from '../../ui/overlay/dialog.tsx'

const settledKey = ['send', 'without-sender']
const title = 'Who sends this fax?'
const law = 'Many countries require the name and the fax number of the sender on each fax. Yours don’t say both yet.'

/** Asks once, before `send`, for the name and number of the sender that faxes lack. */
export function useSenderQuestion(send: () => void) {
  const { config } = useSession()
  const [isSettled, settle] = useSessionState(settledKey, false)
  const [asks, setAsks] = useState(false)
  return {
    asks,
    start: () => (config.sender_missing.length > 0 && !isSettled ? setAsks(true) : send()),
    onSettled: () => {
      settle(() => true)
      setAsks(false)
      send()
    },
    onClose: () => setAsks(false),
  }
}

type Props = Omit<ReturnType<typeof useSenderQuestion>, 'asks' | 'start'>

/** Who may change settings names the sender once for all faxes; others are told whom to ask. */
export function SenderQuestion({ onSettled, onClose }: Props) {
  const { may } = useSession()
  if (may('manage_settings')) return <SenderForm onSettled={onSettled} onClose={onClose} />
  return (
    <Confirm title={title} verb="Send without" onConfirm={onSettled} onClose={onClose}>
      <p>{law} Ask your administrator to enter them under Settings, Header line.</p>
    </Confirm>
  )
}

function SenderForm({ onSettled, onClose }: Props) {
  const { config } = useSession()
  const [missing] = useState(config.sender_missing)
  const [entered, setEntered] = useState({ name: '', number: '' })
  const save = useAction(
    ({ name, number }: typeof entered) =>
      client.updateSettings({
        body: { ...(name && { fax_header: name }), ...(number && { fax_header_number: number }) },
      }),
    { onDone: onSettled, refreshes: [['config'], ['settings'], ['first-steps']] },
  )
  const faults = save.error?.answer?.fields ?? []
  const faultOf = (key: string) => faults.find(({ field }) => field === key)?.message
  const field = fieldsOf(entered, setEntered)
  const name = entered.name.trim()
  const number = entered.number.trim()
  return (
    <FormDialog
      title={title}
      verb="Save and send"
      ready={missing.every((part) => ({ name, number })[part] !== '')}
      action={{ busy: save.busy, error: faults.length > 0 ? null : save.error }}
      also={
        <Button disabled={save.busy} onClick={onSettled}>
          Send without
        </Button>
      }
      onSubmit={() => save.run({ name, number })}
      onClose={onClose}
    >
      <p>{law} Enter them once: the header line and cover pages of all faxes name them from now on.</p>
      {missing.includes('name') && (
        <TextField
          label="Name of the sender"
          placeholder="Example Clinic"
          maxLength={50}
          wrong={faultOf('fax_header')}
          {...field('name')}
        />
      )}
      {missing.includes('number') && (
        <TextField
          label="Your fax number"
          type="tel"
          placeholder="+15551234567"
          wrong={faultOf('fax_header_number')}
          {...field('number')}
        />
      )}
    </FormDialog>
  )
}
