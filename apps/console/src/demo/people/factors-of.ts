import type { Passkey } from '@faxdeck/contract'

/** The second factors of the person at the console. */
export interface FakeFactors {
  /** When the authenticator app was set up; null for none. */
  totp: string | null
  passkeys: Passkey[]
  codes: number
  required: boolean
  mustEnrol: boolean
  confirmed: boolean
  /** When an administrator reset them, until the person knows. */
  resetAt: string | null
}

export const noFactors = (): FakeFactors => ({
  totp: null,
  passkeys: [],
  codes: 0,
  required: false,
  mustEnrol: false,
  confirmed: true,
  resetAt: null,
})
