import { z } from 'zod'
import { faxAccesses, scopes } from '../../permissions.ts'
import { route } from '../../route.ts'
import { givenName, instant } from '../../shapes.ts'

const keyId = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/, 'A key id is 12 hex characters.') })

export const apiKey = z.object({
  key_id: z.string(),
  name: z.string().nullable(),
  owner: z.string().nullable(),
  scopes: z.array(z.enum(scopes)),
  /** Which faxes it sees: its own, its own and any whose id it knows, or all. */
  fax_access: z.enum(faxAccesses),
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  /** The key that was given the token: it created the key or rotated it last. Null when that is not known. */
  issued_by: z.string().nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** What a key leaves behind that could let its holder in again, or send there what happens here. */
export const leavings = z.object({
  settings: z.array(z.object({ key: z.string(), label: z.string() })),
  plugins: z.array(z.object({ id: z.string() })),
  webhooks: z.array(z.object({ id: z.string(), url: z.string() })),
})
export type Leavings = z.infer<typeof leavings>

const issued = z.object({ issued: z.enum(['keep', 'revoke']).default('keep') })

export const apiKeyRoutes = {
  listApiKeys: route({
    method: 'GET',
    path: '/admin/api-keys',
    permission: 'manage_keys',
    summary: 'The active API keys.',
    failure: 'Failed to fetch API keys',
    reply: z.array(apiKey),
  }),
  createApiKey: route({
    method: 'POST',
    path: '/admin/api-keys',
    permission: 'manage_keys',
    confirm: true,
    summary:
      'Create a key. Its token is in this response and nowhere else. `fax_access` is which faxes it sees: `own`, those sent with it; `by_id`, also any other whose id it knows; `all`. A key with `keys:manage` sees all.',
    failure: 'Failed to create API key',
    audits: ['api_key_created'],
    body: z.object({
      name: givenName(100).optional(),
      owner: givenName(100).optional(),
      scopes: z.array(z.enum(scopes)).min(1).default(['fax:send', 'fax:read']),
      /** `by_id` when it is not given: what every key could do before there was a choice. */
      fax_access: z.enum(faxAccesses).default('by_id'),
      expires_at: z.iso.datetime({ offset: true }).optional(),
    }),
    reply: apiKey.extend({ token: z.string() }),
    status: 201,
  }),
  rotateApiKey: route({
    method: 'POST',
    path: '/admin/api-keys/:id/rotate',
    permission: 'manage_keys',
    confirm: true,
    summary: 'Replace the secret of a key. The old token stops working immediately.',
    failure: 'Failed to rotate API key',
    audits: ['api_key_rotated'],
    params: keyId,
    reply: apiKey.extend({ token: z.string() }),
  }),
  getKeyLeavings: route({
    method: 'GET',
    path: '/admin/api-keys/:id/leavings',
    permission: 'manage_keys',
    summary: 'What revoking the key would undo: settings, plugins and webhooks. Nothing is changed.',
    failure: 'Failed to fetch what the key set up',
    params: keyId,
    query: issued,
    reply: leavings,
  }),
  revokeApiKey: route({
    method: 'DELETE',
    path: '/admin/api-keys/:id',
    permission: 'manage_keys',
    summary:
      'Revoke a key permanently, with its live streams and pairing codes. Access settings that it changed are reverted, its plugins are removed and its webhooks paused. `issued=revoke` also revokes the keys that it created or rotated, and those that these created or rotated in turn.',
    failure: 'Failed to revoke API key',
    audits: ['api_key_revoked', 'settings_undone', 'plugin_removed', 'webhook_stopped'],
    params: keyId,
    query: issued,
    reply: z.object({
      status: z.literal('ok'),
      revoked: z.array(z.string()),
      settings_undone: z.array(z.string()),
      plugins_undone: z.array(z.string()),
      webhooks_paused: z.array(z.string()),
    }),
  }),
}
