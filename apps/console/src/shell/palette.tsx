import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { ErrorNotice } from '../ui/layout/error-notice.tsx'
import { commandsFor, matches, type Command } from './commands.ts'
import { useFoundFaxes } from './found-faxes.ts'
import styles from './palette.module.css'
import { useSession } from './session.ts'

interface Props {
  onClose: () => void
  onHelp: () => void
}

function nothingFound(typed: string, { isSearching, error }: ReturnType<typeof useFoundFaxes>): string {
  if (isSearching) return 'Searching faxes…'
  return error ? `No place or action matches “${typed}”.` : `No place, action or fax matches “${typed}”.`
}

/** Every place and action by a few letters. */
export function Palette({ onClose, onHelp }: Props) {
  const session = useSession()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const all = useMemo(() => commandsFor(session, onHelp), [session, onHelp])
  const faxes = useFoundFaxes(typed, session)
  const found = [...all.filter((command) => matches(command, typed)), ...faxes.commands]
  const present = found[Math.min(at, found.length - 1)]

  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && present) run(present)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || found.length === 0) return
    event.preventDefault()
    const next = (at + step + found.length) % found.length
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title="Search or jump to…" onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Place, action or words on a fax"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={present && `${id}-${present.key}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        placeholder="Type a place, an action or words on a fax"
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
      />
      <ul ref={list} id={id} role="listbox" aria-label="Places, actions and faxes" className={styles.list}>
        {found.map((command) => (
          <li
            key={command.key}
            id={`${id}-${command.key}`}
            role="option"
            aria-selected={command === present}
            onClick={() => run(command)}
          >
            <command.icon size="1.125rem" stroke={1.75} aria-hidden="true" />
            <span className={styles.label}>{command.label}</span>
            <span className={styles.kind}>{command.kind}</span>
          </li>
        ))}
      </ul>
      {faxes.error && <ErrorNotice error={faxes.error} />}
      <p role="status" className={styles.none}>
        {found.length === 0 && nothingFound(typed, faxes)}
      </p>
    </Dialog>
  )
}
