import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { healthQuery } from '../../api/overview.ts'
import { noticesLabel, useDesktopNotices } from '../../shell/desktop-notices.ts'
import { IconBell, IconCheck, IconDots, IconScripts } from '../../ui/control/icons.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { grouped } from '../../ui/words/grouped.ts'
import { useMarkAll } from './queries.ts'

const countFaxes = (count: number) => (count === 1 ? '1 fax' : `${grouped(count)} faxes`)

/** What is done with the inbox as a whole, and seldom. */
export function InboxMenu({ onSimulate }: { onSimulate: () => void }) {
  const say = useToast()
  const { data: health } = useQuery(healthQuery)
  const [asking, setAsking] = useState(false)
  const markAll = useMarkAll((changed) => {
    setAsking(false)
    say(`${countFaxes(changed)} marked as read`)
  })
  const unread = health?.inbound_unread ?? 0
  const notices = useDesktopNotices()
  const items = [
    { key: 'read', label: 'Mark all as read', icon: IconCheck, onChoose: () => setAsking(true) },
    { key: 'test', label: 'Create a test fax', icon: IconScripts, onChoose: onSimulate },
    ...(notices.toggle
      ? [{ key: 'notices', label: noticesLabel(notices.on), icon: IconBell, onChoose: notices.toggle }]
      : []),
  ]
  return (
    <>
      <Menu icon={IconDots} label="More actions" items={unread > 0 ? items : items.slice(1)} />
      {asking && (
        <Confirm
          title={`Mark ${countFaxes(unread)} as read?`}
          verb="Mark as read"
          busy={markAll.busy}
          error={markAll.error}
          onConfirm={() => markAll.run(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>Faxes that need a look stay unread until you open them. New arrivals stay unread too.</p>
        </Confirm>
      )}
    </>
  )
}
