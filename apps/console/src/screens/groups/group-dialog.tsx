import type { Group } from '@faxdeck/contract'
import { useState } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupName } from './group-name.tsx'
import { GroupNumbers } from './group-numbers.tsx'
import styles from './groups.module.css'
import { useGroupActions } from './queries.ts'

interface Props {
  group: Group
  onClose: () => void
}

/** A group: its name, numbers and people. Each change is saved at once. */
export function GroupDialog({ group, onClose }: Props) {
  const say = useToast()
  const [asking, setAsking] = useState(false)
  const actions = useGroupActions(group.id, {
    onRemoved: () => {
      onClose()
      say(`${group.name} deleted`)
    },
  })
  const { rename, addNumber, removeNumber, sendFrom, addMember, removeMember, remove } = actions
  const failed = [rename, addNumber, removeNumber, sendFrom, addMember, removeMember].find(({ error }) => error)
  const footer = (
    <>
      <Button onClick={() => setAsking(true)}>Delete group…</Button>
      <Button tone="primary" onClick={onClose}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog title={group.name} width="wide" onClose={onClose} footer={footer}>
      <div className={styles.parts}>
        {failed?.error && <ErrorNotice error={failed.error} />}
        <GroupName key={group.name} group={group} rename={rename} />
        <GroupNumbers group={group} add={addNumber} remove={removeNumber} sendFrom={sendFrom} />
        <GroupMembers group={group} add={addMember} remove={removeMember} />
      </div>
      {asking && (
        <Confirm
          title={`Delete the group “${group.name}”?`}
          verb="Delete"
          danger
          action={remove}
          onConfirm={() => remove.run(undefined)}
          onClose={() => setAsking(false)}
        >
          Its members immediately lose access to its faxes. The faxes are kept, but only operators and their senders can
          see them. This can’t be undone.
        </Confirm>
      )}
    </Dialog>
  )
}
