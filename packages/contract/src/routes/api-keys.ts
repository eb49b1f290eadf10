import { z } from 'zod'
import { route, scopes } from '../route.ts'
import { givenName, instant } from '../shapes.ts'

const keyId = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/, 'A key id is 12 hex characters.') })

export const apiKey = z.object({
  key_id: z.string(),
  name: z.string().nullable(),
  owner: z.string().nullable(),
  scopes: z.array(z.enum(scopes)),
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

export const apiKeyRoutes = {
  listApiKeys: route({
    method: 'GET',
    path: '/admin/api-keys',
    scope: 'keys:manage',
    summary: 'The live API keys.',
    failure: 'Failed to fetch API keys',
    reply: z.array(apiKey),
  }),
  createApiKey: route({
    method: 'POST',
    path: '/admin/api-keys',
    scope: 'keys:manage',
    summary: 'Make a key. Its token is in this answer and nowhere else.',
    failure: 'Failed to create API key',
    body: z.object({
      name: givenName(100).optional(),
      owner: givenName(100).optional(),
      scopes: z.array(z.enum(scopes)).min(1).default(['fax:send', 'fax:read']),
      expires_at: z.iso.datetime({ offset: true }).optional(),
    }),
    reply: apiKey.extend({ token: z.string() }),
    status: 201,
  }),
  rotateApiKey: route({
    method: 'POST',
    path: '/admin/api-keys/:id/rotate',
    scope: 'keys:manage',
    summary: 'Replace the secret of a key. The old token stops at once.',
    failure: 'Failed to rotate API key',
    params: keyId,
    reply: apiKey.extend({ token: z.string() }),
  }),
  revokeApiKey: route({
    method: 'DELETE',
    path: '/admin/api-keys/:id',
    scope: 'keys:manage',
    summary: 'End a key for good.',
    failure: 'Failed to revoke API key',
    params: keyId,
    reply: z.object({ status: z.literal('ok') }),
  }),
}
