import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { useSessionState } from '../../api/use-session-state.ts'
import { useDesktopNotices } from '../../session/desktop-notices.ts'
import { useSession } from '../../session/session.ts'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type Command, commandsFor, matches } from './commands.ts'
import { faxByIdCommands, useFoundFaxes } from './found-faxes.ts'
import { usePaletteSources } from './palette-sources.ts'
import styles from './palette.module.css'

/** In memory alone: a fax that was found says what it says. */
const recentKey = ['palette', 'recent']
const noCommands: readonly Command[] = []
const maxRecent = 5

function nothingFound(typed: string, { isSearching, error }: ReturnType<typeof useFoundFaxes>): string {
  if (isSearching) return 'Searching faxes…'
  return error ? `No screen, action or setting matches “${typed}”.` : `Nothing matches “${typed}”.`
}

/** Every place, action, setting, key, provider and fax by a few letters. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const session = useSession()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const notices = useDesktopNotices()
  const all = useMemo(() => commandsFor(session, { showKeys: onHelp, notices }), [session, onHelp, notices])
  const [recent, remember] = useSessionState(recentKey, noCommands)
  const sources = usePaletteSources(typed, session)
  const faxes = useFoundFaxes(typed, session, !sources.isFetching)
  const fits = (command: Command) => matches(command, typed)
  const first = typed.trim() === '' ? recent : []
  const others = all.filter((command) => fits(command) && !first.some(({ key }) => key === command.key))
  const found = [...first, ...faxByIdCommands(typed, session), ...others, ...sources.find(fits), ...faxes.commands]
  const present = found[Math.min(at, found.length - 1)]

  const run = (command: Command) => {
    onClose()
    remember((earlier) => [command, ...earlier.filter(({ key }) => key !== command.key)].slice(0, maxRecent))
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
    <Dialog title="Search or jump to…" place="top" onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Screen, action, setting or fax"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={present && `${id}-${present.key}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        placeholder="Screen, action, setting, or a fax by number, ID or words"
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
      />
      <ul ref={list} id={id} role="listbox" aria-label="Results" className={styles.list}>
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
            <span className={styles.kind}>{first.includes(command) ? 'Recent' : command.kind}</span>
            {command.hotkey && <kbd className={styles.hotkey}>{command.hotkey}</kbd>}
          </li>
        ))}
      </ul>
      {faxes.error && <ErrorNotice error={faxes.error} />}
      {sources.error && <ErrorNotice error={sources.error} />}
      <p role="status" className={styles.none}>
        {found.length === 0 && nothingFound(typed, faxes)}
      </p>
    </Dialog>
  )
}
