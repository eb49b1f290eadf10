/** What this browser notes about its session: the session itself is a cookie that no script can read. No secret. */
const name = 'faxdeck-signed-in'

/** Whether a person is signed in, as far as this browser knows. */
export const isSignedIn = (): boolean => localStorage.getItem(name) === 'yes'

/** Whether somebody has signed in here with an email address, now or earlier. */
export const hasSignedInBefore = (): boolean => localStorage.getItem(name) !== null

export function noteSignedIn(): void {
  localStorage.setItem(name, 'yes')
}

export function noteSignedOut(): void {
  localStorage.setItem(name, 'no')
}

/** Calls `listener` when a person signs in or out in another tab. @returns a function that stops listening */
export function onSignedInElsewhere(listener: (signedIn: boolean) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === name && event.oldValue !== event.newValue) listener(isSignedIn())
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
