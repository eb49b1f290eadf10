import { z } from 'zod'
import { type Permission, permissions, roleNames } from '../../permissions.ts'
import { del, get, post } from '../../route.ts'
import { instant } from '../../shapes.ts'
import { entered, lasting, secondStepRoutes, signedIn } from './second-step.ts'

export const personId = z.string().regex(/^[0-9a-f]{12}$/, 'The id of a person is 12 hex characters.')
export const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Enter an email address, like name@clinic.org.')
/** Bounded, so that hashing it costs the same for everybody. */
const password = z.string().max(256, 'A password can have at most 256 characters.')
const token = z.string().max(200)
export const role = z.enum(roleNames)
const permission = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])

export const session = z.object({
  id: personId,
  created_at: instant,
  /** When its person last did something. */
  active_at: instant,
  ends_at: instant,
  address: z.string(),
  /** What the browser calls itself. */
  browser: z.string(),
  /** The session that asks. */
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

/** Who is calling, what they may do and until when. */
export const account = z.object({
  /** Null for the holder of a key. */
  person: z.object({ id: personId, name: z.string(), email: z.string(), role }).nullable(),
  permissions: z.array(permission),
  /** Null for the holder of a key, whose visit does not end by itself. */
  session: lasting.nullable(),
  /** They have to set up a second factor before anything else. */
  must_enrol: z.boolean(),
  /** When an administrator reset their second factors, until `acknowledgeReset`; null otherwise. */
  factors_reset_at: instant.nullable(),
})
export type Account = z.infer<typeof account>

/** Signing in and out. These calls answer without a key; the session is a cookie that no script can read. */
export const signInRoutes = {
  getSignIn: get('/admin/sign-in', null, {
    summary: 'How people can sign in here.',
    failure: 'Failed to reach the gateway',
    reply: z.object({
      people: z.boolean(),
      /** What stands on the button; null where single sign-on is not set up. */
      single_sign_on: z.object({ label: z.string() }).nullable(),
      /** Whom to ask for help, in the words of the organization; null while it named nobody. */
      contact: z.string().nullable(),
    }),
  }),
  startSingleSignOn: post('/admin/sign-in/oidc', null, {
    summary:
      'Start single sign-on: returns the address that the browser goes to next. A cookie binds the sign-in to this browser. With `again`, the provider asks even a person who is signed in there.',
    failure: 'Failed to start single sign-on',
    body: z.strictObject({ again: z.boolean().default(false) }).prefault({}),
    reply: z.object({ url: z.string() }),
  }),
  finishSingleSignOn: post('/admin/sign-in/oidc/finish', null, {
    summary:
      'Finish single sign-on with the provider’s answer, once, in the browser that started it. The session is set as a cookie.',
    failure: 'Failed to sign in',
    audits: ['person_signed_in'],
    body: z.strictObject({ answer: z.string().max(8192) }),
    reply: signedIn,
  }),
  signIn: post('/admin/sign-in', null, {
    summary: 'Sign in with email and password. The session is set as a cookie, unless a second factor is required.',
    failure: 'Failed to sign in',
    body: z.strictObject({ email: z.string().max(254), password }),
    reply: entered,
  }),
  ...secondStepRoutes,
  readInvitation: post('/admin/invitations/read', null, {
    summary: 'Who an invitation link is for. The link stays valid.',
    failure: 'Failed to open the invitation',
    body: z.strictObject({ token }),
    reply: z.object({ name: z.string(), email: z.string() }),
  }),
  acceptInvitation: post('/admin/invitations/accept', null, {
    summary: 'Choose a password with an invitation link, once, and sign in. Earlier sessions end.',
    failure: 'Failed to save the password',
    audits: ['person_joined'],
    body: z.strictObject({ token, password }),
    reply: entered,
  }),
}

/** What people do with their own account. */
export const accountRoutes = {
  getAccount: get('/admin/account', 'own_account', {
    summary: 'Who is calling, and what they may do.',
    failure: 'Failed to fetch your account',
    reply: account,
  }),
  staySignedIn: post('/admin/account/stay', 'own_account', {
    summary: 'Report that the person is still there, so that the session does not end as idle.',
    failure: 'Failed to stay signed in',
    reply: signedIn,
  }),
  signOut: post('/admin/account/sign-out', 'own_account', {
    summary: 'End this session; returns the address where single sign-on can be ended too.',
    failure: 'Failed to sign out',
    audits: ['person_signed_out'],
    reply: z.object({
      /** Where the browser goes to sign out at the provider of single sign-on as well; null when there is no need. */
      provider_url: z.string().nullable(),
    }),
  }),
  changePassword: post('/admin/account/password', 'use_console', {
    confirm: true,
    summary:
      'Change your own password. Your other sessions end. `current` may be left out; where it is given, it must be right.',
    failure: 'Failed to change the password',
    audits: ['password_changed'],
    body: z.strictObject({ current: password.optional(), next: password }),
    reply: 'none',
  }),
  listOwnSessions: get('/admin/account/sessions', 'use_console', {
    summary: 'Where you are signed in, newest first.',
    failure: 'Failed to fetch your sessions',
    reply: z.array(session),
  }),
  endOtherSessions: post('/admin/account/end-other-sessions', 'use_console', {
    summary: 'End all your sessions but this one.',
    failure: 'Failed to end the other sessions',
    reply: z.object({ ended: z.number().int() }),
  }),
  endOwnSession: del('/admin/account/sessions/:id', 'use_console', {
    summary: 'End one of your sessions.',
    failure: 'Failed to end the session',
    audits: ['sessions_ended'],
    params: z.object({ id: personId }),
    reply: 'none',
  }),
}
