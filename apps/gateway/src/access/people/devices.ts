import { randomBytes } from 'node:crypto'
import type { Seals } from '../../base/settings/seal.ts'

const goodForMs = 180 * 24 * 3_600_000
/** People who share a browser. */
const maxPeople = 8
const shape = /^([0-9a-z]{1,10})\.([0-9a-f]{16})\.([0-9a-f]{32})$/

interface Parts {
  seals: Pick<Seals, 'fingerprint'>
  now: () => Date
}

/**
 * The browsers in which people have signed in, by a cookie that proves it for one email address and says nothing of it.
 * Such a browser is slowed down by its own failures, not by those of strangers (the device cookies of OWASP's guide to
 * slowing down online guessing). Nothing is kept here.
 */
export class Devices {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  #proofOf = (emailKey: string, issued: string, id: string) =>
    this.#parts.seals.fingerprint(`device\n${issued}\n${id}\n${emailKey}`)

  #find(cookie: string | undefined, emailKey: string) {
    for (const part of cookie?.split('~').slice(0, maxPeople) ?? []) {
      const [, issued, id, proof] = shape.exec(part) ?? []
      if (issued === undefined || id === undefined || proof !== this.#proofOf(emailKey, issued, id)) continue
      const age = this.#parts.now().getTime() - parseInt(issued, 36)
      if (age >= 0 && age < goodForMs) return { part, id }
    }
    return undefined
  }

  /** The browser's id, if somebody has signed in with this address in it. */
  idOf = (cookie: string | undefined, emailKey: string): string | undefined => this.#find(cookie, emailKey)?.id

  /** What the cookie is to be once somebody has signed in with this address. */
  cookieWith(cookie: string | undefined, emailKey: string): string {
    const known = this.#find(cookie, emailKey)
    const id = known?.id ?? randomBytes(8).toString('hex')
    const issued = this.#parts.now().getTime().toString(36)
    const others = (cookie?.split('~') ?? []).filter((part) => shape.test(part) && part !== known?.part)
    return [`${issued}.${id}.${this.#proofOf(emailKey, issued, id)}`, ...others].slice(0, maxPeople).join('~')
  }
}

export const deviceSeconds = goodForMs / 1000
