import { useCallback, useEffect, useState } from 'react'
import { Button } from '../control/button.tsx'
import { Dialog } from '../overlay/dialog.tsx'
import { PageThumbnail, type Mark } from './page-thumbnail.tsx'
import styles from './page-strip.module.css'

/** Fetches a page, counted from 1, as an image `width` pixels wide. */
type LoadPage = (page: number, width: number, signal: AbortSignal) => Promise<Blob>

interface Props {
  pages: number
  /** Must be the same function as long as it is the same document. */
  load: LoadPage
  /** Words to point out, by page. */
  marks?: ReadonlyMap<number, readonly Mark[]> | undefined
}

const fewPages = 24
const smallWidth = 184
const fullWidth = 1320

/** The pages of a document side by side; each opens large, and from there its neighbors. */
export function PageStrip({ pages, load, marks }: Props) {
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<number>()
  const shown = all ? pages : Math.min(pages, fewPages)
  return (
    <div className={styles.strip}>
      {Array.from({ length: shown }, (_, index) => index + 1).map((page) => (
        <Page key={page} page={page} pages={pages} load={load} marks={marks} onOpen={() => setOpen(page)} />
      ))}
      {shown < pages && <Button onClick={() => setAll(true)}>Show all {pages} pages</Button>}
      {open !== undefined && (
        <PageViewer
          page={open}
          pages={pages}
          load={load}
          marks={marks}
          onGo={setOpen}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

interface PageProps extends Props {
  page: number
  onOpen?: () => void
}

function Page({ page, pages, load, marks, onOpen }: PageProps) {
  const width = onOpen ? smallWidth : fullWidth
  const loadThis = useCallback((signal: AbortSignal) => load(page, width, signal), [load, page, width])
  const size = onOpen ? 'small' : 'full'
  const label = `Page ${page} of ${pages}`
  return <PageThumbnail load={loadThis} label={label} size={size} marks={marks?.get(page)} onOpen={onOpen} />
}

interface ViewerProps extends Props {
  page: number
  onGo: (page: number) => void
  onClose: () => void
}

function PageViewer({ page, pages, load, marks, onGo, onClose }: ViewerProps) {
  useEffect(() => {
    const turn = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft' && page > 1) onGo(page - 1)
      if (key === 'ArrowRight' && page < pages) onGo(page + 1)
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [page, pages, onGo])
  const footer = pages > 1 && (
    <>
      <Button disabled={page === 1} onClick={() => onGo(page - 1)}>
        Previous page
      </Button>
      <Button disabled={page === pages} onClick={() => onGo(page + 1)}>
        Next page
      </Button>
    </>
  )
  return (
    <Dialog title={`Page ${page} of ${pages}`} width="wide" onClose={onClose} footer={footer}>
      <div role="group" aria-label="Page" tabIndex={0}>
        <Page page={page} pages={pages} load={load} marks={marks} />
      </div>
    </Dialog>
  )
}
