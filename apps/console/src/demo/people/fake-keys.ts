import type { ApiKey } from '@faxdeck/contract'
import { type FakeCalls, findIn } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { type FakeKey, instantOf, type World } from '../world.ts'
import { endPeople, type FakeEnding, letInBy } from './fake-let-in.ts'

const withoutToken = ({ token: _, leaves: _leaves, ...key }: FakeKey): ApiKey => key

const endingOf = ({
  person_ids: ids,
  ...rest
}: Omit<FakeEnding, 'person_ids'> & { person_ids?: string | undefined }) => ({
  ...rest,
  person_ids: ids?.split(','),
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
    received_only: null,
    received_delete: false,
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

/** What ends with a key. */
function endingCalls(world: World, find: (id: string) => FakeKey) {
  return {
    revokeApiKey: ({ params, query }) => {
      const key = find(params.id)
      const { leavings, ended, chosen } = letInBy(world, params.id, endingOf(query))
      const all = [key, ...ended]
      const { settings, plugins, webhooks } = leavings(all)
      for (const each of all) {
        world.keys.splice(world.keys.indexOf(each), 1)
        addEvent(world, 'api_key_revoked', { key_id: each.key_id })
      }
      const people = endPeople(chosen, query.people)
      return {
        status: 'ok',
        revoked: all.map(({ key_id: id }) => id),
        settings_undone: settings.map(({ key: name }) => name),
        plugins_undone: plugins.map(({ id }) => id),
        webhooks_paused: webhooks.map(({ id }) => id),
        people_suspended: query.people === 'suspend' ? people : [],
        people_demoted: query.people === 'demote' ? people : [],
      }
    },
    getKeyLeavings: ({ params, query }) => {
      const key = find(params.id)
      const { leavings, ended } = letInBy(world, params.id, endingOf(query))
      return leavings([key, ...ended])
    },
  } satisfies FakeCalls
}

export function keyCalls(world: World) {
  const find = (id: string) => findIn(world.keys, ({ key_id: each }) => each === id, 'key_not_found')
  return {
    listApiKeys: () => world.keys.map(withoutToken),
    createApiKey: ({ body }) => {
      const key = addKey(world, {
        name: body.name ?? null,
        owner: body.owner ?? null,
        scopes: body.scopes ?? ['fax:send', 'fax:read'],
        fax_access: body.scopes?.includes('keys:manage') ? 'all' : (body.fax_access ?? 'by_id'),
        received_only: body.received_only
          ? { groups: body.received_only.groups ?? [], numbers: body.received_only.numbers ?? [] }
          : null,
        received_delete: body.received_delete ?? false,
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
    ...endingCalls(world, find),
  } satisfies FakeCalls
}
