import { formatNumber } from '@faxdeck/contract/phone'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { askNumber, type NumberSide } from '../api/fax-numbers.ts'
import { Button, CopyButton } from '../ui/control/button.tsx'
import { IconEye } from '../ui/control/icons.ts'
import { MaskedNumber } from '../ui/fax/masked-number.tsx'
import { useToast } from '../ui/overlay/toast.tsx'
import { sentenceOf } from '../ui/words/problem-words.ts'
import styles from './fax-number.module.css'
import { useSession } from './session.ts'

const shownMs = 60_000

interface Props {
  id: string
  side: NumberSide
  /** Of which only the end is shown at first. */
  number: string | null
  /** In a list the masked number itself is the button, and the full one stands above the neighboring columns. */
  look?: 'list' | 'pane'
}

/** The number that is shown in full for a minute, and how to ask for it and hide it. */
function useShownNumber({ side, id }: Props) {
  const box = useRef<HTMLSpanElement>(null)
  const [number, setNumber] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const say = useToast()
  const hadFocus = useRef(false)
  const change = (next: string | null) => {
    hadFocus.current = box.current?.contains(document.activeElement) ?? false
    setNumber(next)
  }
  // The button that was pressed is gone: its focus goes to the one in its place.
  useLayoutEffect(() => {
    if (hadFocus.current) box.current?.querySelector('button')?.focus()
    hadFocus.current = false
  }, [number])
  const hide = useEffectEvent(() => change(null))
  useEffect(() => {
    if (number === null) return
    const timer = setTimeout(() => hide(), shownMs)
    return () => clearTimeout(timer)
  }, [number])
  // Without a `useAction`: a list has two of these in each row.
  const show = async () => {
    setBusy(true)
    await askNumber(side, id).then(change, (error: unknown) =>
      say(error instanceof Error ? sentenceOf(error) : String(error), { tone: 'bad' }),
    )
    setBusy(false)
  }
  return { box, number, busy, show, hide: () => change(null) }
}

function Shown(props: Props & { number: string }) {
  const { look, number: masked } = props
  const { box, number, busy, show, hide } = useShownNumber(props)
  const end = masked.slice(-4)
  return (
    <span ref={box} className={styles.number} data-look={look} data-shown={number !== null || undefined}>
      {number !== null ? (
        <>
          <span className={styles.full}>{formatNumber(number)}</span>
          <CopyButton text={number} what={`number ${formatNumber(number)}`} tone="quiet" />
          <Button tone="quiet" aria-label={`Hide number ending in ${end}`} onClick={hide}>
            Hide
          </Button>
        </>
      ) : look === 'list' ? (
        <button
          type="button"
          className={styles.masked}
          title="Show number"
          aria-label={`Show number ending in ${end}`}
          aria-busy={busy || undefined}
          onClick={() => busy || void show()}
        >
          <MaskedNumber number={masked} />
        </button>
      ) : (
        <>
          <MaskedNumber number={masked} />
          <Button
            tone="quiet"
            icon={IconEye}
            busy={busy}
            aria-label={`Show number ending in ${end}`}
            onClick={() => void show()}
          >
            Show number
          </Button>
        </>
      )}
    </span>
  )
}

/**
 * The masked number of a fax. Who may open the fax can show it in full, for a minute; the gateway records it. Where the
 * fax may change, give it a `key`.
 */
export function FaxNumber(props: Props) {
  const { may } = useSession()
  const { number, side } = props
  const mayAsk = may(side === 'sent' ? 'open_faxes' : 'read_received')
  return number && mayAsk ? <Shown {...props} number={number} /> : <MaskedNumber number={number} />
}
