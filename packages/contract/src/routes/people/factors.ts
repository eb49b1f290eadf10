import { z } from 'zod'
import { del, get, post, put } from '../../route.ts'
import { givenName, instant } from '../../shapes.ts'

const factorId = z.string().regex(/^[0-9a-f]{12}$/, 'The id of a passkey is 12 hex characters.')
const password = z.string().max(256)

// What browsers take and give (WebAuthn Level 3, 5.1.8 to 5.1.10) is passed on as it is; the gateway's library checks it.
const base64url = z
  .string()
  .max(8000)
  .regex(/^[\w-]*$/)
const transports = z.array(z.string().max(40)).max(10)
const extensions = z.looseObject({})

/** What browsers are asked with; all but the challenge is for them alone. */
export const passkeyRequest = z.looseObject({ challenge: base64url })

const answered = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: extensions,
}

/** What `navigator.credentials.get` answers. */
export const passkeyAnswer = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
})

export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** What `navigator.credentials.create` answers. */
const madePasskey = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: transports.optional(),
  }),
})
export type MadePasskey = z.infer<typeof madePasskey>

const passkey = z.object({
  id: factorId,
  name: z.string(),
  /** The host name that it works under. */
  host: z.string(),
  created_at: instant,
  last_used_at: instant.nullable(),
})
export type Passkey = z.infer<typeof passkey>

export const factors = z.object({
  /** The authenticator app; null if there is none. */
  totp: z.object({ created_at: instant, last_used_at: instant }).nullable(),
  passkeys: z.array(passkey),
  recovery_codes_left: z.number().int(),
  /** Whether the settings ask a second factor of this person. */
  required: z.boolean(),
  has_password: z.boolean(),
  /** Whether they have proved who they are within the last minutes. */
  confirmed: z.boolean(),
})
export type Factors = z.infer<typeof factors>

/** New recovery codes, which are in this answer and nowhere else; null when those there were stay good. */
const withCodes = z.object({ recovery_codes: z.array(z.string()).nullable() })

/** Second factors of the caller, and how they confirm who they are. */
export const factorRoutes = {
  getFactors: get('/admin/account/factors', 'own_account', {
    summary: 'Your passkeys, authenticator app and recovery codes.',
    failure: 'Failed to fetch your second factors',
    reply: factors,
  }),
  confirmAccount: post('/admin/account/confirm', 'own_account', {
    summary:
      'Confirm that it is you with your password and, if you have a second factor, a code of the authenticator app or a recovery code. It is valid for ten minutes.',
    failure: 'Failed to confirm',
    audits: ['account_confirmed'],
    body: z.strictObject({ password, code: z.string().max(40).optional() }),
    reply: 'none',
  }),
  askToConfirm: post('/admin/account/confirm/passkey/options', 'own_account', {
    summary: 'What a browser needs to confirm with a passkey.',
    failure: 'Failed to ask for a passkey',
    reply: passkeyRequest,
  }),
  confirmWithPasskey: post('/admin/account/confirm/passkey', 'own_account', {
    summary: 'Confirm that it is you with a passkey. It is valid for ten minutes.',
    failure: 'Failed to confirm',
    audits: ['account_confirmed'],
    body: z.strictObject({ response: passkeyAnswer }),
    reply: 'none',
  }),
  startTotp: post('/admin/account/totp/start', 'own_account', {
    confirm: true,
    summary: 'A secret for an authenticator app. It takes effect once a code from it was correct.',
    failure: 'Failed to set up the authenticator app',
    reply: z.object({
      token: z.string(),
      expires_at: instant,
      /** Base32, to be typed where no QR code can be read. */
      secret: z.string(),
      /** What the QR code says. */
      uri: z.string(),
    }),
  }),
  addTotp: post('/admin/account/totp', 'own_account', {
    summary: 'Confirm an authenticator app with a code. The first second factor comes with recovery codes.',
    failure: 'Failed to set up the authenticator app',
    audits: ['factor_added'],
    body: z.strictObject({ token: z.string().max(200), code: z.string().max(20) }),
    reply: withCodes,
  }),
  removeTotp: del('/admin/account/totp', 'use_console', {
    confirm: true,
    summary: 'Remove your authenticator app.',
    failure: 'Failed to remove the authenticator app',
    audits: ['factor_removed'],
    reply: 'none',
  }),
  startPasskey: post('/admin/account/passkeys/start', 'own_account', {
    confirm: true,
    summary: 'What a browser needs to make a passkey.',
    failure: 'Failed to add the passkey',
    reply: passkeyRequest,
  }),
  addPasskey: post('/admin/account/passkeys', 'own_account', {
    summary: 'Register the passkey that a browser made. The first second factor comes with recovery codes.',
    failure: 'Failed to add the passkey',
    audits: ['factor_added'],
    body: z.strictObject({ name: givenName(60), response: madePasskey }),
    reply: withCodes,
  }),
  renamePasskey: put('/admin/account/passkeys/:id', 'use_console', {
    summary: 'Give one of your passkeys another name.',
    failure: 'Failed to rename the passkey',
    audits: ['passkey_renamed'],
    params: z.object({ id: factorId }),
    body: z.strictObject({ name: givenName(60) }),
    reply: 'none',
  }),
  acknowledgeReset: post('/admin/account/reset-seen', 'own_account', {
    // Somebody who had them reset could otherwise remove the warning.
    confirm: true,
    summary: 'Dismiss the notice that an administrator reset your second factors.',
    failure: 'Failed to dismiss the notice',
    reply: 'none',
  }),
  removePasskey: del('/admin/account/passkeys/:id', 'use_console', {
    confirm: true,
    summary: 'Remove one of your passkeys.',
    failure: 'Failed to remove the passkey',
    audits: ['factor_removed'],
    params: z.object({ id: factorId }),
    reply: 'none',
  }),
  renewRecoveryCodes: post('/admin/account/recovery-codes', 'use_console', {
    confirm: true,
    summary: 'Ten new recovery codes. The previous ones stop working.',
    failure: 'Failed to make recovery codes',
    audits: ['recovery_codes_made'],
    reply: z.object({ recovery_codes: z.array(z.string()) }),
  }),
}
