import type { TunnelStatus } from '@faxdeck/contract'
import { type FakeCalls, found, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'

const actions = [
  { id: 'version_report', label: 'Versions', about: 'Faxdeck, Node.js, the database and the system.' },
  { id: 'disk_space', label: 'Disk space', about: 'Free space on the disk of the data directory.' },
  { id: 'queue_report', label: 'Queue', about: 'How much work is waiting and since when, and jobs by status.' },
]

const outputs: Record<string, string> = {
  version_report: 'Faxdeck    1.0.2\nNode.js    v24.21.0\nDatabase   SQLite 3.51.0\n',
  disk_space: 'Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        80G   38G   42G  48% /srv\n',
  queue_report: 'waiting     0\nunder way   0\noldest due  nothing is waiting\n',
}

const fiveMinutes = 300_000

function statusOf(world: World): TunnelStatus {
  const { enabled, provider } = world.tunnel
  const seen = { public_url: null, local_ip: null, last_checked: instantOf(world.now()) }
  if (!enabled || provider === 'none')
    return { enabled: false, provider, status: 'disabled', error_message: null, ...seen }
  const error_message = `No ${provider} interface is up on this machine. Faxdeck doesn’t start it, so start it yourself.`
  return { enabled, provider, status: 'error', error_message, ...seen }
}

export function operationCalls(world: World) {
  return {
    listActions: () => ({ enabled: world.actionsEnabled, items: actions }),
    runAction: ({ body: { id } }) => {
      if (!world.actionsEnabled) throw new Refusal('actions_disabled')
      return { ok: true, id, code: 0, stdout: found(outputs[id], 'action_not_found'), stderr: '' }
    },
    getTunnelStatus: () => statusOf(world),
    configureTunnel: ({ body }) => {
      world.tunnel = body
      return statusOf(world)
    },
    testTunnel: () => ({
      ok: false,
      message: 'http://localhost:8080 can’t be reached from here. Nothing is listening there.',
      target: 'localhost:8080/health',
    }),
    pairTunnel: () => {
      const letters = world.nextId(10).toUpperCase()
      return { code: `${letters.slice(0, 5)}-${letters.slice(5)}`, expires_at: instantOf(world.now() + fiveMinutes) }
    },
  } satisfies FakeCalls
}
