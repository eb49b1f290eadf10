import type { Role } from '@faxdeck/contract'

/** With what somebody signed in. The provider of `oidc` asks for second factors itself. */
export type SignInWay = 'password' | 'password+totp' | 'password+passkey' | 'password+recovery' | 'passkey' | 'oidc'

/** Somebody with an account. */
export interface PersonRow {
  id: string
  name: string
  /** As it was typed. */
  email: string
  /** In lower case, by which a person is found. */
  email_key: string
  role: Role
  suspended: number
  /** PHC string of argon2id; null until the invitation is accepted. */
  password_hash: string | null
  /** Of the newest link with which a password is chosen, until it is used. */
  link_sha256: string | null
  link_expires_at: string | null
  /** Who made the link; null for none, and for one of an earlier release. */
  link_by: string | null
  created_at: string
  /** The key or person who invited them. */
  created_by: string
  last_sign_in_at: string | null
  /** When an administrator reset their second factors, until they have said that they know; null otherwise. */
  factors_reset_at: string | null
}

/** One browser in which a person is signed in. */
export interface PersonSessionRow {
  id: string
  person_id: string
  token_sha256: string
  /** The token before, good for a moment longer: calls that were under way when it was replaced still carry it. */
  previous_sha256: string | null
  previous_until: string | null
  rotated_at: string
  created_at: string
  active_at: string
  address: string
  browser: string
  /** The ID token of single sign-on, sealed: it ends the session at the provider as well. Null for other sign-ins. */
  id_token: string | null
  /** The session at the provider of single sign-on (claim `sid`); null where it names none. */
  oidc_sid: string | null
  /** How its person signed in. */
  how: SignInWay
  /** When they last proved who they are, by signing in or by confirming it since; null for sessions of an earlier release. */
  confirmed_at: string | null
  /** 1 while its person has to set up a second factor before anything else. */
  must_enrol: number
}

/** Who a person is at a provider of single sign-on; one identity per provider. */
export interface PersonIdentityRow {
  issuer: string
  subject: string
  person_id: string
  created_at: string
}

/** An accepted logout token, by issuer and `jti`, so that it works only once. */
export interface OidcLogoutRow {
  token_sha256: string
  /** From then on it is too old anyway. */
  expires_at: string
}

/** A sign-in that is under way at the provider. Taken once. */
export interface OidcLoginRow {
  state_sha256: string
  /** Of a cookie: another browser can't finish it. */
  browser_sha256: string
  /** Nonce, PKCE verifier, redirect URI and issuer, sealed. */
  sealed: string
  expires_at: string
}
