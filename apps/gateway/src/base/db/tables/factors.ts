/** The authenticator app of a person (RFC 6238). The row is created once a code from it was correct. */
export interface TotpRow {
  person_id: string
  /** Base32, sealed. */
  secret: string
  /** The newest time step whose code was used: that code and earlier ones are no longer valid. */
  last_step: number
  created_at: string
  last_used_at: string
}

/** A WebAuthn credential of a person. */
export interface PasskeyRow {
  id: string
  person_id: string
  /** Base64url, as its authenticator names it. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  /** Grows with every use, at authenticators that count. */
  counter: number
  /** JSON of how browsers reach its authenticator. */
  transports: string
  /** The host name it was made for (the relying party's id): browsers offer it nowhere else. */
  host: string
  name: string
  created_at: string
  last_used_at: string | null
}

/** A recovery code that was not used yet. Its 80 random bits need no slow hash. */
export interface RecoveryCodeRow {
  sha256: string
  person_id: string
  created_at: string
}

/** A pending challenge: half a sign-in, the challenge of a passkey, or an authenticator app that is being set up. */
export interface ChallengeRow {
  sha256: string
  purpose: ChallengePurpose
  /** Null where it is not known yet who answers. */
  person_id: string | null
  /** Of whoever is signed in. */
  session_id: string | null
  /** What is needed for the answer; sealed where it is secret. */
  payload: string | null
  wrong_tries: number
  created_at: string
  expires_at: string
}

export type ChallengePurpose =
  'second_step' | 'passkey_sign_in' | 'passkey_step' | 'passkey_confirm' | 'passkey_add' | 'totp_add'
