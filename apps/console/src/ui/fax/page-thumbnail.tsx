import { useEffect, useRef, useState } from 'react'
import { IconPhoto } from '../control/icons.ts'
import { beforePrinting } from '../print/print-page.ts'
import styles from './page-thumbnail.module.css'

/** A place on a page, in shares of its width and height. */
export interface Mark {
  left: number
  top: number
  width: number
  height: number
}

export type Turn = 0 | 90 | 180 | 270

interface Props {
  /** Fetches the page as an image. Must be the same function while it is the same page (useCallback). */
  load: (signal: AbortSignal) => Promise<Blob>
  /** "Page 2 of 3" */
  label: string
  size?: 'small' | 'full'
  /** Words to point out. */
  marks?: readonly Mark[] | undefined
  /** Degrees, clockwise: of a page that lies on its side, or on its head. */
  turn?: Turn | undefined
  onOpen?: () => void
}

/** A page as it is faxed: fetched with the key when it comes into view, given back to memory when it leaves. */
export function PageThumbnail({ load, label, size = 'small', marks = [], turn = 0, onOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [image, setImage] = useState<{ load: Props['load']; address: string | null }>()
  const loaded = image?.load === load ? image : undefined

  useEffect(() => {
    const leaving = new AbortController()
    let address: string | undefined
    let shown: Promise<void> | undefined
    const fetchPicture = async () => {
      try {
        address = URL.createObjectURL(await load(leaving.signal))
        if (leaving.signal.aborted) URL.revokeObjectURL(address)
        else setImage({ load, address })
      } catch {
        // The frame says that there is no picture; the screen around it reports failures of the call.
        if (!leaving.signal.aborted) setImage({ load, address: null })
      }
    }
    const show = () => (shown ??= fetchPicture())
    const keepForPrinting = beforePrinting(show)
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      void show()
    })
    if (frame.current) watcher.observe(frame.current)
    return () => {
      watcher.disconnect()
      keepForPrinting()
      leaving.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [load])

  const picture = loaded?.address ? (
    <MarkedPage address={loaded.address} label={label} marks={marks} />
  ) : (
    <span className={styles.none} data-failed={loaded ? true : undefined}>
      {loaded && <IconPhoto size="1.25rem" aria-hidden="true" />}
      <span className="unseen">{loaded ? `${label}: no picture` : `${label}: loading`}</span>
    </span>
  )
  return (
    <div ref={frame} className={styles.page} data-size={size} data-turn={turn || undefined}>
      {onOpen ? (
        <button type="button" onClick={onOpen} aria-label={`Open ${label}`}>
          {picture}
        </button>
      ) : (
        picture
      )}
    </div>
  )
}

/** The picture, and the marks in the same place whatever the proportions of frame and page. */
function MarkedPage({ address, label, marks }: { address: string; label: string; marks: readonly Mark[] }) {
  const [size, setSize] = useState<{ width: number; height: number }>()
  const alt = marks.length === 0 ? label : `${label}, ${marks.length === 1 ? '1 match' : `${marks.length} matches`}`
  return (
    <>
      <img
        src={address}
        alt={alt}
        onLoad={({ currentTarget: image }) => setSize({ width: image.naturalWidth, height: image.naturalHeight })}
      />
      {size && marks.length > 0 && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} className={styles.marks} aria-hidden="true">
          {marks.map(({ left, top, width, height }) => (
            <rect
              key={`${left} ${top}`}
              x={(left - reach.x) * size.width}
              y={(top - reach.y) * size.height}
              width={(width + 2 * reach.x) * size.width}
              height={(height + 2 * reach.y) * size.height}
            />
          ))}
        </svg>
      )}
    </>
  )
}

/** So far a mark reaches beyond its word, in shares of the page. */
const reach = { x: 0.004, y: 0.003 }
