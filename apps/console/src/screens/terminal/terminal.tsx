import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Chip } from '../../ui/control/status-chip.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { copyText } from '../../ui/words/copy-text.ts'
import type { OpenTerminal } from './open-terminal.ts'
import styles from './terminal.module.css'

/** Opens the terminal once its files are here, and closes it with the screen. */
function useTerminal() {
  const place = useRef<HTMLDivElement>(null)
  const [terminal, setTerminal] = useState<OpenTerminal>()
  const [fault, setFault] = useState<Error>()
  useEffect(() => {
    let opened: OpenTerminal | undefined
    let gone = false
    import('./open-terminal.ts').then(({ openTerminal }) => {
      if (gone || !place.current) return
      opened = openTerminal(place.current)
      setTerminal(opened)
    }, setFault)
    return () => {
      gone = true
      opened?.close()
    }
  }, [])
  return { place, terminal, fault }
}

/** A simulated shell over the calls of the console. */
export function TerminalScreen() {
  const { place, terminal, fault } = useTerminal()
  const { config } = useSession()
  const say = useToast()
  const copy = (text: string) =>
    copyText(text).then(
      () => say('Copied', { brief: true }),
      () => say('Your browser blocked copying. Select the text and copy it yourself.', { tone: 'bad' }),
    )
  const clear = () => {
    terminal?.clear()
    terminal?.focus()
  }
  const actions = (
    <>
      <Button disabled={!terminal} onClick={() => terminal && void copy(terminal.text())}>
        Copy all
      </Button>
      <Button disabled={!terminal} onClick={clear}>
        Clear
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Terminal" purpose="Try the API with a few commands." actions={actions} />
      <p className={styles.label}>
        <Chip tone="info">Demo</Chip> A simulated shell that never reaches a real one.{' '}
        {config.demo ? 'Nothing sent here leaves this page.' : 'Faxes sent here are real.'}
      </p>
      {fault && <ErrorNotice error={fault} />}
      <div className={styles.frame} hidden={fault !== undefined}>
        {!terminal && <Skeleton lines={4} height={1.25} />}
        <div ref={place} className={styles.place} role="region" aria-label="Demo terminal" />
      </div>
      <p className={styles.keys}>
        <kbd>Tab</kbd> completes a command, <kbd>↑</kbd> <kbd>↓</kbd> recall earlier ones, <kbd>Ctrl C</kbd> stops.{' '}
        <kbd>Shift Tab</kbd>, or <kbd>Esc</kbd> before <kbd>Tab</kbd>, leaves the terminal.
      </p>
    </>
  )
}
