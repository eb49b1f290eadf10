import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnGroups } from '../../api/groups.ts'
import { noticesLabel, useDesktopNotices } from '../../session/desktop-notices.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconBell, IconCheck, IconDots, IconRefresh, IconScripts } from '../../ui/control/icons.ts'
import { fieldsOf, SearchField, Segments, SelectField } from '../../ui/form/fields.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { countFaxes } from '../../ui/words/figures.ts'
import styles from './inbox.module.css'
import { countQuery, type InboxFilter, useMarkAll } from './queries.ts'

const views = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'failed', label: 'Failed' },
] as const

interface Props {
  filter: InboxFilter
  onChange: (filter: InboxFilter) => void
}

/** Which faxes are shown: all, unread or failed ones, and those that hold what is typed. */
export function InboxFilterBar({ filter, onChange }: Props) {
  const groups = useOwnGroups().map(({ id, name }) => ({ value: id, label: name }))
  const field = fieldsOf(filter, onChange)
  const wide = useWide()
  const [unfolded, setUnfolded] = useState(false)
  // What leaves faxes out is never hidden.
  const isFiltered = filter.view !== 'all' || filter.group !== ''
  return (
    <div role="search" aria-label="Search the inbox" className={styles.filter}>
      <div className={styles.search}>
        <SearchField label="Search words or numbers" {...field('q')} />
      </div>
      {!wide && !isFiltered && (
        <Button aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          Filters
        </Button>
      )}
      {(wide || unfolded || isFiltered) && (
        <>
          {groups.length > 1 && (
            <SelectField label="Group" choices={[{ value: '', label: 'All groups' }, ...groups]} {...field('group')} />
          )}
          <Segments label="Show" choices={views} {...field('view')} />
        </>
      )}
    </div>
  )
}

interface MenuProps {
  refresh: { busy: boolean; run: (input: undefined) => void }
  onSimulate: () => void
}

/** What is done with the inbox as a whole, and seldom; on a small screen all of it. */
export function InboxActions({ refresh, onSimulate }: MenuProps) {
  const wide = useWide()
  const { may } = useSession()
  const { data: counted } = useQuery(countQuery({ view: 'unread', q: '', group: '' }, true))
  const [asking, setAsking] = useState(false)
  const markAll = useMarkAll(() => setAsking(false))
  const unread = counted?.total ?? 0
  const notices = useDesktopNotices()
  const items = [
    ...(wide ? [] : [{ key: 'refresh', label: 'Refresh', icon: IconRefresh, onChoose: () => refresh.run(undefined) }]),
    ...(unread > 0
      ? [{ key: 'read', label: 'Mark all as read', icon: IconCheck, onChoose: () => setAsking(true) }]
      : []),
    ...(may('handle_faxes')
      ? [{ key: 'test', label: 'Create a test fax', icon: IconScripts, onChoose: onSimulate }]
      : []),
    // What they are about, the health of the gateway says.
    ...(notices.toggle && may('see_activity')
      ? [{ key: 'notices', label: noticesLabel(notices.on), icon: IconBell, onChoose: notices.toggle }]
      : []),
  ]
  return (
    <>
      {wide && <Button action={refresh}>Refresh</Button>}
      {items.length > 0 && <Menu icon={IconDots} label="More actions" items={items} />}
      {asking && (
        <Confirm
          title={`Mark ${countFaxes(unread)} as read?`}
          verb="Mark as read"
          action={markAll}
          onConfirm={() => markAll.run(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>Faxes that need a look stay unread until you open them. New arrivals stay unread too.</p>
        </Confirm>
      )}
    </>
  )
}
