import { type ApiKey, issuedThrough, type Leavings } from '@faxdeck/contract'
import type { FakeCalls } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { Refusal } from '../refusal.ts'
import { instantOf, type FakeKey, type World } from '../world.ts'

const withoutToken = ({ token: _, leaves: _leaves, ...key }: FakeKey): ApiKey => key

const leavingsOf = (keys: readonly FakeKey[]): Leavings => ({
  settings: keys.flatMap(({ leaves }) => leaves?.settings ?? []),
  plugins: keys.flatMap(({ leaves }) => leaves?.plugins ?? []),
  webhooks: keys.flatMap(({ leaves }) => leaves?.webhooks ?? []),
})
const tokenFor = (world: World, id: string) => `fdk_live_${id}_${world.nextId(43)}`

/** A live key in the world, as if somebody had made it. */
export function addKey(world: World, fields: Partial<FakeKey>): FakeKey {
  const id = world.nextId(12)
  const key: FakeKey = {
    key_id: id,
    name: null,
    owner: null,
    scopes: ['fax:send', 'fax:read'],
    fax_access: fields.scopes?.includes('keys:manage') ? 'all' : 'own',
    created_at: instantOf(world.now()),
    last_used_at: null,
    expires_at: null,
    issued_by: null,
    token: tokenFor(world, id),
    ...fields,
  }
  world.keys.unshift(key)
  return key
}

export function keyCalls(world: World) {
  const find = (id: string) => {
    const key = world.keys.find((each) => each.key_id === id)
    if (!key) throw new Refusal('key_not_found')
    return key
  }
  return {
    listApiKeys: () => world.keys.map(withoutToken),
    createApiKey: ({ body }) => {
      const key = addKey(world, {
        name: body.name ?? null,
        owner: body.owner ?? null,
        scopes: body.scopes ?? ['fax:send', 'fax:read'],
        fax_access: body.scopes?.includes('keys:manage') ? 'all' : (body.fax_access ?? 'by_id'),
        expires_at: body.expires_at ? instantOf(Date.parse(body.expires_at)) : null,
      })
      addEvent(world, 'api_key_created', { key_id: key.key_id })
      return key
    },
    rotateApiKey: ({ params }) => {
      const key = find(params.id)
      key.token = tokenFor(world, key.key_id)
      addEvent(world, 'api_key_rotated', { key_id: key.key_id })
      return key
    },
    revokeApiKey: ({ params, query }) => {
      const issued = query.issued === 'revoke' ? issuedThrough(world.keys, params.id) : []
      const ended = [find(params.id), ...issued]
      for (const key of ended) {
        world.keys.splice(world.keys.indexOf(key), 1)
        addEvent(world, 'api_key_revoked', { key_id: key.key_id })
      }
      const { settings, plugins, webhooks } = leavingsOf(ended)
      return {
        status: 'ok',
        revoked: ended.map(({ key_id: id }) => id),
        settings_undone: settings.map(({ key }) => key),
        plugins_undone: plugins.map(({ id }) => id),
        webhooks_paused: webhooks.map(({ id }) => id),
      }
    },
    getKeyLeavings: ({ params, query }) => {
      const issued = query.issued === 'revoke' ? issuedThrough(world.keys, params.id) : []
      return leavingsOf([find(params.id), ...issued])
    },
  } satisfies FakeCalls
}
