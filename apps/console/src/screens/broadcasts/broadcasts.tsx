import { useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconChevronLeft, IconSend } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { BroadcastPage } from './broadcast-page.tsx'
import { OutcomeBar, StateChip } from './broadcast-state.tsx'
import { outcomeSentence } from './broadcast-words.ts'
import styles from './broadcasts.module.css'
import { broadcastsQuery } from './queries.ts'

function BroadcastList() {
  const { go } = useSession()
  const list = useInfiniteQuery(broadcastsQuery)
  const broadcasts = list.data?.pages.flatMap((page) => page.broadcasts) ?? []
  const back = (
    <Button icon={IconChevronLeft} onClick={() => go('jobs')}>
      All jobs
    </Button>
  )
  return (
    <>
      <PageHead title="Broadcasts" purpose="One document sent to many numbers, one fax each." actions={back} />
      <div className={styles.page}>
        {list.error && <ErrorNotice error={list.error} busy={list.isFetching} onRetry={() => void list.refetch()} />}
        {list.isPending && <Skeleton lines={5} height={4} />}
        {list.isSuccess && broadcasts.length === 0 && (
          <EmptyState
            icon={IconSend}
            title="No broadcasts yet"
            why="A document sent to more than 10 numbers appears here with its progress and outcomes."
            next={
              <Button tone="primary" onClick={() => go('send')}>
                Send a fax
              </Button>
            }
          />
        )}
        {broadcasts.length > 0 && (
          <ul className={styles.list} aria-label="Broadcasts">
            {broadcasts.map((broadcast) => (
              <li key={broadcast.id}>
                <button type="button" onClick={() => go('broadcasts', { open: broadcast.id })}>
                  <span className={styles.name}>{broadcast.file_name ?? 'Document'}</span>
                  <span className={styles.state}>
                    <StateChip broadcast={broadcast} />
                    <Ago at={broadcast.created_at} />
                  </span>
                  <OutcomeBar broadcast={broadcast} />
                  <span className={styles.sentence}>{outcomeSentence(broadcast)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </>
  )
}

/** The Broadcasts screen: all of them, or one that is open. */
export function BroadcastsScreen() {
  const { visit } = useSession()
  return visit.open === undefined ? <BroadcastList /> : <BroadcastPage key={visit.open} id={visit.open} />
}
