import { z } from 'zod'
import { del, get, post, put } from '../../route.ts'
import { givenName, instant } from '../../shapes.ts'
import { accountRoutes, email, personId, role, session, signInRoutes } from './account.ts'
import { ending, endingInBody, leavings } from './api-keys.ts'
import { factorRoutes } from './factors.ts'

const byPerson = z.object({ id: personId })
export const person = z.object({
  id: personId,
  name: z.string(),
  email: z.string(),
  role,
  /** Invited: has never signed in. Suspended: cannot sign in. */
  state: z.enum(['invited', 'active', 'suspended']),
  created_at: instant,
  /** The key or person who added them; the name is null for the first key and for what is no longer known. */
  invited_by: z.object({ id: z.string(), name: z.string().nullable() }),
  last_sign_in_at: instant.nullable(),
  /** Until when the newest invitation link can be used; null when there is none. */
  link_expires_at: instant.nullable(),
  /** Sessions that have not ended. */
  sessions: z.number().int(),
  /** Whether they have a passkey or an authenticator app. */
  second_factor: z.boolean(),
})
export type Person = z.infer<typeof person>

/** A person, and the token of a link with which they choose a password. It is in this answer and nowhere else. */
const personWithLink = z.object({
  person,
  token: z.string(),
  /** Where the console is, with the token behind a #, where no log of a server sees it. */
  path: z.string(),
})

/** People: who has an account, and in which role. */
export const peopleRoutes = {
  ...signInRoutes,
  ...accountRoutes,
  ...factorRoutes,
  listPeople: get('/admin/people', 'manage_people', {
    summary: 'Everybody with an account, by name.',
    failure: 'Failed to fetch people',
    reply: z.array(person),
  }),
  invitePerson: post('/admin/people', 'manage_people', {
    confirm: true,
    summary: 'Add a person. They choose their password at `path`, which only this answer contains, within 72 hours.',
    failure: 'Failed to invite the person',
    audits: ['person_invited'],
    body: z.strictObject({ name: givenName(100), email, role }),
    reply: personWithLink,
    status: 201,
  }),
  renewInvitation: post('/admin/people/:id/invitation', 'manage_people', {
    confirm: true,
    summary:
      'Make a new link for a person who has not used theirs or has forgotten the password. The previous link stops working.',
    failure: 'Failed to make a link',
    audits: ['person_invited'],
    params: byPerson,
    reply: personWithLink,
  }),
  updatePerson: put('/admin/people/:id', 'manage_people', {
    confirm: true,
    summary:
      'Change name, email address or role, suspend a person or let them back in. Suspending and another email address end their sessions and their link. As somebody is suspended, or an administrator gets another role, `issued` and `people` say what becomes of the keys and people whom they let in, as when a key is revoked. At least one administrator always remains.',
    failure: 'Failed to change the person',
    audits: ['person_changed', 'api_key_revoked', 'settings_undone', 'plugin_removed', 'webhook_stopped'],
    params: byPerson,
    body: z.strictObject({ name: givenName(100), email, role, suspended: z.boolean(), ...endingInBody }).partial(),
    reply: person,
  }),
  getPersonLeavings: get('/admin/people/:id/leavings', 'manage_people', {
    summary:
      'What is reverted when a person is suspended, or an administrator gets another role, and whom they let in.',
    failure: 'Failed to check what the person set up',
    params: byPerson,
    query: ending,
    reply: leavings,
  }),
  listPersonSessions: get('/admin/people/:id/sessions', 'manage_people', {
    summary: 'Where a person is signed in, newest first.',
    failure: 'Failed to fetch the sessions',
    params: byPerson,
    reply: z.array(session),
  }),
  endPersonSession: del('/admin/people/:id/sessions/:session', 'manage_people', {
    summary: 'End one session of a person.',
    failure: 'Failed to end the session',
    audits: ['sessions_ended'],
    params: z.object({ id: personId, session: personId }),
    reply: 'none',
  }),
  endSessions: post('/admin/people/:id/end-sessions', 'manage_people', {
    summary: 'Sign a person out everywhere.',
    failure: 'Failed to end the sessions',
    audits: ['sessions_ended'],
    params: byPerson,
    reply: person,
  }),
  resetFactors: post('/admin/people/:id/reset-factors', 'manage_people', {
    confirm: true,
    summary: 'Remove passkeys, authenticator app and recovery codes of a person, and sign them out.',
    failure: 'Failed to reset the second factors',
    audits: ['factors_reset'],
    params: byPerson,
    reply: person,
  }),
}
