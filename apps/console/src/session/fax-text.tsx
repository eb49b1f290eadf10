import type { PageTexts } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Direction, faxTextQuery } from '../api/fax-text.ts'
import { Disclosure } from '../ui/layout/disclosure.tsx'
import { ErrorNotice, Skeleton } from '../ui/layout/states.tsx'
import styles from './fax-text.module.css'

interface Props {
  direction: Direction
  id: string
}

/** The pages of a fax as text, for people who cannot see them. Nothing is fetched before somebody asks for it. */
export function FaxText(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Disclosure summary="Show as text" inset open={open} onToggle={setOpen}>
      {open && <Texts {...props} />}
    </Disclosure>
  )
}

function Texts({ direction, id }: Props) {
  const { data, error, isFetching, refetch } = useQuery(faxTextQuery(direction, id))
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  return (
    <div className={styles.texts}>
      <p role="status" className="muted">
        {data && sentenceOf(data)}
      </p>
      {!data && <Skeleton lines={4} />}
      {data?.pages.map(({ page, text }) => (
        <section key={page} aria-label={`Text of page ${page}`}>
          <h3>Page {page}</h3>
          <p className={text ? styles.text : 'muted'}>{text || 'No text was found on this page.'}</p>
        </section>
      ))}
    </div>
  )
}

/** How far the text can be relied on, or why there is none. */
function sentenceOf({ state, pages }: PageTexts): string {
  const hasText = pages.some(({ text }) => text !== '')
  if (state === 'waiting') return 'The pages of this fax are still being read. Their text appears here.'
  if (state === 'off' && !hasText)
    return 'The text of this fax was not read. An administrator can turn on “Read the text of faxes” in Settings.'
  if (state === 'unreadable') return 'The text of this fax could not be read, or only that of some pages.'
  return hasText
    ? 'Text of scanned pages is recognized by software and may contain errors. Handwriting is often missing.'
    : 'No text was found on the pages of this fax.'
}
