import type { HoldKind } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGroupName } from '../api/groups.ts'
import { holdsOnFaxQuery, usePlaceHold } from '../api/holds.ts'
import { IconDots, IconLock } from '../ui/control/icons.ts'
import { HoldList } from '../ui/fax/hold-list.tsx'
import { PlaceHoldDialog } from '../ui/fax/place-hold-dialog.tsx'
import { SelectField } from '../ui/form/fields.tsx'
import { ErrorNotice } from '../ui/layout/states.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { useSession } from './session.ts'

/** The legal holds that keep a fax, for who may place them. Nothing where there are none. */
export function FaxHolds({ id }: { id: string }) {
  const { may } = useSession()
  const { data: holds, error, isFetching, refetch } = useQuery(holdsOnFaxQuery(id, may('manage_holds')))
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  return holds && holds.length > 0 && <HoldList holds={holds} />
}

interface MenuProps {
  id: string
  /** The number of its other side, masked; null when it is not known. */
  number: string | null
  groupId: string | null
}

/** Holds a fax, its number or its group. Nothing for who may not. */
export function FaxHoldMenu(props: MenuProps) {
  const { may } = useSession()
  const [placing, setPlacing] = useState(false)
  if (!may('manage_holds')) return null
  const item = {
    key: 'hold',
    label: 'Keep from deletion (legal hold)…',
    icon: IconLock,
    onChoose: () => setPlacing(true),
  }
  return (
    <>
      <Menu icon={IconDots} label="More actions" items={[item]} />
      {placing && <HoldOnFax {...props} onClose={() => setPlacing(false)} />}
    </>
  )
}

function HoldOnFax({ id, number, groupId, onClose }: MenuProps & { onClose: () => void }) {
  const [kind, setKind] = useState<HoldKind>('fax')
  const group = useGroupName(groupId)
  const place = usePlaceHold(onClose)
  const subjects: { value: HoldKind; label: string; subject: string }[] = [
    { value: 'fax', label: 'This fax', subject: id },
    // The number is not shown in full: the gateway takes it from the fax.
    ...(number ? [{ value: 'number', label: `Every fax with …${number.slice(-4)}`, subject: id } as const] : []),
    ...(group && groupId
      ? [{ value: 'group', label: `Every fax of the group ${group}`, subject: groupId } as const]
      : []),
  ]
  const chosen = subjects.find(({ value }) => value === kind)
  return (
    <PlaceHoldDialog
      ready={chosen !== undefined}
      action={place}
      onPlace={(reason) => chosen && place.run({ kind, subject: chosen.subject, reason })}
      onClose={onClose}
    >
      <SelectField label="Applies to" choices={subjects} value={kind} onChange={setKind} />
    </PlaceHoldDialog>
  )
}
