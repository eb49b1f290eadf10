import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../shell/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NewRowsPill } from '../../ui/table/new-rows-pill.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Callbacks } from './callbacks.tsx'
import { FaxPreview } from './fax-preview.tsx'
import { useHeldRows } from '../../ui/table/held-rows.ts'
import { InboxTable } from './inbox-table.tsx'
import styles from './inbox.module.css'
import { NoFaxes, NothingFound, ReceivingOff } from './no-faxes.tsx'
import { listQuery } from './queries.ts'
import { SimulateDialog } from './simulate-dialog.tsx'
import { Troubleshooting } from './troubleshooting.tsx'
import { useScrolled } from '../../ui/layout/use-scrolled.ts'

const place = 'inbound'

/** The Inbox screen: what was received, to read, keep and look after. */
export function InboxScreen() {
  const { visit, go } = useSession()
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(listQuery(q))
  const refresh = useAction(() => refetch())
  const received = useMemo(() => data?.pages.flat() ?? [], [data])
  const { rows, arrivals, showArrivals } = useHeldRows(received, useScrolled())
  const [failure, setFailure] = useState<Error>()
  const [simulating, setSimulating] = useState(false)
  const simulate = () => setSimulating(true)
  const close = () => go(place, { replace: true })

  if (error?.answer?.code === 'inbound_disabled') {
    return (
      <>
        <PageHead title="Inbox" purpose="Faxes received. Numbers are masked to the last 4 characters." />
        <ReceivingOff />
      </>
    )
  }
  const buttons = (
    <>
      <Button busy={refresh.busy} onClick={() => refresh.run(undefined)}>
        Refresh
      </Button>
      <Button onClick={simulate}>Simulate inbound</Button>
    </>
  )
  return (
    <>
      <PageHead
        title="Inbox"
        purpose="Faxes received. Numbers are masked to the last 4 characters."
        actions={buttons}
      />
      <div className={styles.notices}>
        {error && <ErrorNotice error={error} onRetry={() => refresh.run(undefined)} busy={refresh.busy} />}
        {failure && <ErrorNotice error={failure} />}
      </div>
      <div role="search" aria-label="Search the inbox" className={styles.search}>
        <SearchField label="Search words or numbers" value={typed} onChange={setTyped} />
      </div>
      {q === '' && <Troubleshooting faxes={rows} />}
      <NewRowsPill
        count={arrivals}
        onShow={() => {
          showArrivals()
          scrollTo(0, 0)
        }}
      />
      {!data && !error && <Skeleton lines={8} height={2.5} />}
      {(data ?? error) &&
        rows.length === 0 &&
        (q === '' || error ? (
          <NoFaxes failed={error !== null} onSimulate={simulate} />
        ) : (
          <NothingFound typed={q} onClear={() => setTyped('')} />
        ))}
      {rows.length > 0 && (
        <>
          <InboxTable
            faxes={rows}
            current={visit.open}
            onFailure={setFailure}
            onOpen={(fax) => go(place, { open: fax.id })}
          />
          <LoadMore
            shown={rows.length}
            more={hasNextPage}
            busy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        </>
      )}
      <Callbacks />
      {visit.open && <FaxPreview key={visit.open} id={visit.open} find={visit.find ?? q} onClose={close} />}
      {simulating && <SimulateDialog onClose={() => setSimulating(false)} />}
    </>
  )
}
