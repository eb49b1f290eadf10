import { z } from 'zod'
import { faxAccesses, scopes } from '../../permissions.ts'
import { del, get, post } from '../../route.ts'
import { givenName, groupId, instant } from '../../shapes.ts'
import { personId, role } from './account.ts'

const keyId = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/, 'A key id is 12 hex characters.') })

export const apiKey = z.object({
  key_id: z.string(),
  name: z.string().nullable(),
  owner: z.string().nullable(),
  scopes: z.array(z.enum(scopes)),
  /** Which faxes it sees: its own, its own and any whose id it knows, or all. */
  fax_access: z.enum(faxAccesses),
  /** It sees received faxes of these groups and to these numbers alone; null where it is not limited. */
  received_only: z.object({ groups: z.array(groupId), numbers: z.array(z.string()) }).nullable(),
  /** It was made to delete the documents of the received faxes that it sees. */
  received_delete: z.boolean(),
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  /** The key that was given the token: it created the key or rotated it last. Null when that is not known. */
  issued_by: z.string().nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** How a person was let in: `link`, with which a password is chosen; `factors_reset`, their second factors were removed; `email`, they got another address. */
export const letInWays = ['invited', 'promoted', 'reinstated', 'link', 'factors_reset', 'email'] as const
export type LetInWay = (typeof letInWays)[number]

const by = z.object({ id: z.string(), name: z.string().nullable() })

/**
 * What a key or person leaves behind that could let them in again, or send there what happens here. `keys` and `people`
 * are those that they let in, and whom these let in in turn; the rest was set up by them and by whoever would end with
 * them.
 */
export const leavings = z.object({
  settings: z.array(z.object({ key: z.string(), label: z.string() })),
  plugins: z.array(z.object({ id: z.string() })),
  webhooks: z.array(z.object({ id: z.string(), url: z.string() })),
  /** Keys whose tokens they were given. One that `stays` was made by somebody who stays: `issued=revoke` leaves it. */
  keys: z.array(z.object({ key_id: z.string(), name: z.string().nullable(), at: instant, by, stays: z.boolean() })),
  /** People who are not suspended, with all that they were given, oldest first. */
  people: z.array(
    z.object({
      id: personId,
      name: z.string(),
      email: z.string(),
      role,
      state: z.enum(['invited', 'active', 'suspended']),
      /** The caller, with whom nothing is done. */
      is_you: z.boolean(),
      given: z.array(z.object({ way: z.enum(letInWays), role, at: instant, by })),
    }),
  ),
})
export type Leavings = z.infer<typeof leavings>

const issued = z.enum(['keep', 'revoke'])
const people = z.enum(['keep', 'suspend', 'demote'])

/** What happens to the keys and people that a key or person let in; `demote` makes them Senders. */
export const ending = z.object({
  issued: issued.default('keep'),
  people: people.default('keep'),
  /** The people it is about, separated by commas; all of them, when absent. */
  person_ids: z
    .string()
    .max(13_000)
    .regex(/^[0-9a-f]{12}(,[0-9a-f]{12})*$/, 'It is a list of ids of people, separated by commas.')
    .optional(),
})
/** The same in a body, where the people are a list. */
export const endingInBody = { issued, people, person_ids: z.array(personId).max(1000) }

export const apiKeyRoutes = {
  listApiKeys: get('/admin/api-keys', 'manage_keys', {
    summary: 'The active API keys.',
    failure: 'Failed to fetch API keys',
    reply: z.array(apiKey),
  }),
  createApiKey: post('/admin/api-keys', 'manage_keys', {
    confirm: true,
    summary:
      'Create a key. Its token is in this response and nowhere else. `fax_access` is which faxes it sees: `own`, those sent with it, and no received faxes but those of `received_only`; `by_id`, also any other whose id it knows, and received faxes if its scopes allow; `all`. A key with `keys:manage` sees all. `received_only` limits the received faxes to those of some groups and to some numbers: those of either. `received_delete` lets it delete the documents of the received faxes that it sees, from any address.',
    failure: 'Failed to create API key',
    audits: ['api_key_created'],
    body: z.object({
      name: givenName(100).optional(),
      owner: givenName(100).optional(),
      scopes: z.array(z.enum(scopes)).min(1).default(['fax:send', 'fax:read']),
      /** `by_id` when it is not given: what every key could do before there was a choice. */
      fax_access: z.enum(faxAccesses).default('by_id'),
      received_only: z
        .object({
          groups: z.array(groupId).max(100).default([]),
          /** As called, with or without the country code. */
          numbers: z.array(z.string().min(1).max(40)).max(100).default([]),
        })
        .optional(),
      /** Needs `inbound:read`. */
      received_delete: z.boolean().default(false),
      expires_at: z.iso.datetime({ offset: true }).optional(),
    }),
    reply: apiKey.extend({ token: z.string() }),
    status: 201,
  }),
  rotateApiKey: post('/admin/api-keys/:id/rotate', 'manage_keys', {
    confirm: true,
    summary: 'Replace the secret of a key. The old token stops working immediately.',
    failure: 'Failed to rotate API key',
    audits: ['api_key_rotated'],
    params: keyId,
    reply: apiKey.extend({ token: z.string() }),
  }),
  getKeyLeavings: get('/admin/api-keys/:id/leavings', 'manage_keys', {
    summary:
      'What revoking the key would undo: settings, plugins and webhooks; and whom it let in: keys and people. Nothing is changed.',
    failure: 'Failed to fetch what the key set up',
    params: keyId,
    query: ending,
    reply: leavings,
  }),
  revokeApiKey: del('/admin/api-keys/:id', 'manage_keys', {
    summary:
      'Revoke a key permanently, with its live streams and pairing codes. Access settings that it changed are reverted, its plugins are removed and its webhooks paused. `issued=revoke` also revokes the keys that it created or rotated, and those that these created or rotated in turn. `people=suspend` also suspends everybody whom it or those invited, promoted, reinstated or gave links, `people=demote` makes them Senders; with `person_ids` only these people.',
    failure: 'Failed to revoke API key',
    audits: ['api_key_revoked', 'person_changed', 'settings_undone', 'plugin_removed', 'webhook_stopped'],
    params: keyId,
    query: ending,
    reply: z.object({
      status: z.literal('ok'),
      revoked: z.array(z.string()),
      settings_undone: z.array(z.string()),
      plugins_undone: z.array(z.string()),
      webhooks_paused: z.array(z.string()),
      people_suspended: z.array(z.string()),
      people_demoted: z.array(z.string()),
    }),
  }),
}
