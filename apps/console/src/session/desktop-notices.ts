import type { HealthStatus } from '@faxdeck/contract'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import type { Session } from './session.ts'

const name = 'faxdeck-desktop-notices'
const changed = 'faxdeck:desktop-notices'

/** Browsers have notifications only on pages that nobody can have changed on the way. */
const isOffered = () => 'Notification' in globalThis && isSecureContext

const isOn = () => isOffered() && localStorage.getItem(name) === 'on' && Notification.permission === 'granted'

const subscribe = (listener: () => void) => {
  addEventListener(changed, listener)
  return () => removeEventListener(changed, listener)
}

/** Turns notifications of this browser on, which the browser asks the person about, or off. */
async function toggle(): Promise<void> {
  const wanted = !isOn() && (await Notification.requestPermission()) === 'granted'
  if (wanted) localStorage.setItem(name, 'on')
  else localStorage.removeItem(name)
  dispatchEvent(new Event(changed))
}

/** Whether desktop notifications are on, and what turns them on or off; undefined where a browser has none. */
export function useDesktopNotices(): { on: boolean; toggle: (() => void) | undefined } {
  const on = useSyncExternalStore(subscribe, isOn)
  return { on, toggle: isOffered() ? () => void toggle() : undefined }
}

export const noticesLabel = (on: boolean) => (on ? 'Turn off desktop notifications' : 'Turn on desktop notifications')

/**
 * What is said of the difference between two states. Notifications stand on locked screens and in the history of the
 * system: they hold a count, and no number, name or word of a fax.
 */
export function noticesOf(before: HealthStatus, now: HealthStatus): { text: string; place: string }[] {
  const received = now.inbound_today - before.inbound_today
  const failed = now.jobs.recent_failures - before.jobs.recent_failures
  const say = (count: number, what: string, place: string) =>
    count > 0 ? [{ text: count === 1 ? `A fax ${what}` : `${count} faxes ${what}`, place }] : []
  return [
    ...say(received, received === 1 ? 'was received' : 'were received', 'inbound'),
    ...say(failed, 'could not be sent', 'jobs'),
  ]
}

/** Says what has happened while the person looks elsewhere. */
export function useNotices(health: HealthStatus | undefined, on: boolean, go: Session['go']): void {
  const before = useRef<HealthStatus>(undefined)
  const notify = useEffectEvent((now: HealthStatus) => {
    const notices = before.current && on && !document.hasFocus() ? noticesOf(before.current, now) : []
    before.current = now
    for (const { text, place } of notices) {
      const notice = new Notification('Faxdeck', { body: text, tag: place })
      notice.onclick = () => {
        focus()
        go(place)
        notice.close()
      }
    }
  })
  useEffect(() => {
    if (health) notify(health)
  }, [health])
}
