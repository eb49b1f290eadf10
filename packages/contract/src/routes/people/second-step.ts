import { z } from 'zod'
import { post } from '../../route.ts'
import { instant } from '../../shapes.ts'
import { passkeyAnswer, passkeyRequest } from './factors.ts'

const token = z.string().max(200)

/** Until when a session lasts. */
export const lasting = z.object({
  /** If its person does nothing. */
  idle_ends_at: instant,
  /** The same in seconds from now, for clocks that differ. */
  idle_seconds: z.number().int(),
  /** In any case. */
  ends_at: instant,
})

export const signedIn = lasting.extend({
  name: z.string(),
  /** They have to set up a second factor; until then every other call is refused. */
  must_enrol: z.boolean(),
})

/** A session, or what is asked for before there is one. */
export const entered = z.object({
  signed_in: signedIn.nullable(),
  /** The password was right, and a second factor is asked for: which ones there are, and the token that its answer names. */
  second_step: z
    .object({
      token: z.string(),
      expires_at: instant,
      totp: z.boolean(),
      passkey: z.boolean(),
      recovery_code: z.boolean(),
    })
    .nullable(),
})

/** What comes after the password, and passkeys that need none. These calls answer without a key. */
export const secondStepRoutes = {
  signInWithCode: post('/admin/sign-in/code', null, {
    summary: 'Finish signing in with the code of an authenticator app, or with a recovery code.',
    failure: 'Failed to sign in',
    audits: ['person_signed_in'],
    body: z.strictObject({ token, code: z.string().max(40) }),
    reply: signedIn,
  }),
  askForPasskey: post('/admin/sign-in/passkey/options', null, {
    summary: 'What a browser needs to sign in with a passkey: to finish signing in, or without a password.',
    failure: 'Failed to ask for a passkey',
    body: z.strictObject({ token: token.optional() }),
    reply: passkeyRequest,
  }),
  signInWithPasskey: post('/admin/sign-in/passkey', null, {
    summary: 'Sign in with a passkey, or finish signing in with it.',
    failure: 'Failed to sign in',
    audits: ['person_signed_in'],
    body: z.strictObject({ token: token.optional(), response: passkeyAnswer }),
    reply: signedIn,
  }),
}
