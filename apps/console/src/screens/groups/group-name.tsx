import type { Group } from '@faxdeck/contract'
import { useState, type SubmitEvent } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './groups.module.css'
import type { useGroupActions } from './queries.ts'

interface Props {
  group: Group
  rename: ReturnType<typeof useGroupActions>['rename']
}

export function GroupName({ group, rename }: Props) {
  const [name, setName] = useState(group.name)
  const isChanged = name.trim() !== '' && name.trim() !== group.name
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isChanged) rename.run(name.trim())
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <TextField label="Name" maxLength={100} value={name} onChange={setName} />
      <Button type="submit" busy={rename.busy} disabled={!isChanged}>
        Rename
      </Button>
    </form>
  )
}
