import type { Unreadable } from '@faxdeck/contract'
import { useMemo } from 'react'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { PageStrip } from '../../../ui/fax/page-strip.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { isSplit, tonesOf, type Draft } from '../draft.ts'
import { PreviewFacts } from './preview-facts.tsx'
import styles from './preview-pane.module.css'
import { loadPreviewPage, usePreview } from '../queries.ts'

interface Props {
  draft: Draft
  recipients: number
  /** What is to become of a fax that loses writing. */
  onChoose: (unreadable: Unreadable) => void
}

/** The pages of the draft as they will be faxed, how many there are and how long they take. */
export function PreviewPane({ draft, recipients, onChoose }: Props) {
  const { data, error, isFetching, isEnabled, refetch, documentFault, coverFault } = usePreview(draft)
  const splits = isSplit(draft)
  const id = data?.id
  const tones = tonesOf(draft)
  const { group } = draft
  const load = useMemo(() => (id ? loadPreviewPage(id, tones, group) : undefined), [id, tones, group])
  return (
    <section className={styles.pane} aria-label="Preview">
      <h2>{splits ? 'The scan, with its separator sheets' : 'As it will be faxed'}</h2>
      {!isEnabled ? (
        <p className={styles.quiet}>
          Preview the pages here before you send them, in black and white as they will arrive.
        </p>
      ) : (documentFault ?? coverFault) ? (
        <p className={styles.quiet}>
          Nothing to show. The {documentFault ? 'document' : 'cover page'} can’t be faxed as it is.
        </p>
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} busy={isFetching} />
      ) : data && load ? (
        <>
          {!splits && (
            <PreviewFacts
              preview={data}
              tones={tones}
              recipients={recipients}
              unreadable={draft.unreadable}
              onChoose={onChoose}
            />
          )}
          <PageStrip pages={data.pages} load={load} />
        </>
      ) : (
        <Skeleton lines={2} height={3} />
      )}
    </section>
  )
}
