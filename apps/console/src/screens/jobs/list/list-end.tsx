import { useEffect, useRef } from 'react'
import { LoadMore } from '../../../ui/table/load-more.tsx'
import styles from '../jobs.module.css'
import type { useJobList } from '../queries.ts'

interface Props {
  shown: number
  list: ReturnType<typeof useJobList>
}

/** The end of the list: reads on before a person gets there, and says how much is shown. */
export function ListEnd({ shown, list }: Props) {
  const end = useRef<HTMLDivElement>(null)
  const { counted, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const readsOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError

  useEffect(() => {
    if (!end.current || !readsOn) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void fetchNextPage(),
      { rootMargin: '1200px' },
    )
    watcher.observe(end.current)
    return () => watcher.disconnect()
    // `shown` grows with each page read: the end may then still be in view.
  }, [readsOn, fetchNextPage, shown])

  return (
    <div ref={end}>
      <LoadMore
        shown={shown}
        total={counted?.total}
        totalIsMinimum={counted?.total_is_minimum}
        more={hasNextPage}
        busy={isFetchingNextPage}
        onMore={() => void fetchNextPage()}
      />
      <p className={styles.masked}>Phone numbers are masked</p>
    </div>
  )
}
