const name = 'faxdeck-admin-key'

/** The API key this browser keeps; undefined when nobody is logged in. */
export function readKey(): string | undefined {
  return localStorage.getItem(name) || undefined
}

/** Keeps a key that was accepted. */
export function keepKey(key: string): void {
  localStorage.setItem(name, key)
}

/** Forgets the key; the browser notifies other tabs. */
export function forgetKey(): void {
  localStorage.removeItem(name)
}

/** Forgets a key that the gateway refused: an empty one stays, by which other tabs know that nobody logged out. */
export function forgetRefusedKey(): void {
  localStorage.setItem(name, '')
}

/**
 * Calls `listener` when another tab logs in (with its key) or out (with undefined), or when its key was refused.
 * @returns a function that stops listening
 */
export function onKeyChangedElsewhere(listener: (key: string | undefined, refused: boolean) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === name || event.key === null) listener(readKey(), localStorage.getItem(name) === '')
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
