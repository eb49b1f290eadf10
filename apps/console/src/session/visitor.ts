import { forgetKey, forgetRefusedKey, readKey } from '../api/key.ts'
import { isSignedIn, noteSignedOut } from '../api/signed-in.ts'
import { forgetSealed } from '../api/tab-vault.ts'
import { forgetKept } from '../ui/use-kept.ts'

/** Who is at the console: the holder of a key, or a person with a session. */
export type Visitor = { key: string } | 'person'

const lastPerson = 'faxdeck-last-person'

/** Who was here when the page was loaded; undefined for nobody. */
export function presentVisitor(): Visitor | undefined {
  const key = readKey()
  return key ? { key } : isSignedIn() ? 'person' : undefined
}

/** Notes that the gateway refused the key or that the session has ended: what was begun stays for the same visitor. */
export function forgetVisitor(): void {
  if (readKey()) forgetRefusedKey()
  else noteSignedOut()
}

/** Forgets everything of a visitor who leaves. */
export function forgetEverything(): void {
  forgetKey()
  if (isSignedIn()) noteSignedOut()
  forgetKept()
  void forgetSealed()
}

/** A draft that somebody else left in this tab is not for the person who signs in now. */
export function greet(personId: string): void {
  const last = sessionStorage.getItem(lastPerson)
  if (last !== null && last !== personId) {
    forgetKept()
    void forgetSealed()
  }
  sessionStorage.setItem(lastPerson, personId)
}
