import { useEffect, useRef, useState } from 'react'
import { IconPhoto } from './icons.ts'
import styles from './page-thumbnail.module.css'

interface Props {
  /** Fetches the page as an image. Must be the same function while it is the same page (useCallback). */
  load: (signal: AbortSignal) => Promise<Blob>
  /** "Page 2 of 3" */
  label: string
  size?: 'small' | 'full'
  onOpen?: () => void
}

/** A page as it is faxed: fetched with the key when it comes into view, given back to memory when it leaves. */
export function PageThumbnail({ load, label, size = 'small', onOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [image, setImage] = useState<{ load: Props['load']; address: string | null }>()
  const loaded = image?.load === load ? image : undefined

  useEffect(() => {
    const leaving = new AbortController()
    let address: string | undefined
    const show = async () => {
      try {
        address = URL.createObjectURL(await load(leaving.signal))
        if (leaving.signal.aborted) URL.revokeObjectURL(address)
        else setImage({ load, address })
      } catch {
        // The frame says that there is no picture; the screen around it reports failures of the call.
        if (!leaving.signal.aborted) setImage({ load, address: null })
      }
    }
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      void show()
    })
    if (frame.current) watcher.observe(frame.current)
    return () => {
      watcher.disconnect()
      leaving.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [load])

  const picture = loaded?.address ? (
    <img src={loaded.address} alt={label} />
  ) : (
    <span className={styles.none} data-failed={loaded ? true : undefined}>
      {loaded && <IconPhoto size="1.25rem" aria-hidden="true" />}
      <span className="unseen">{loaded ? `${label}: no picture` : `${label}: loading`}</span>
    </span>
  )
  return (
    <div ref={frame} className={styles.page} data-size={size}>
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
