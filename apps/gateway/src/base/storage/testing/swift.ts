import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { reservePort } from '../../../testing/reserve-port.ts'

/** A real S3 server: OpenStack Swift with its S3 API, one disk, one copy, signatures checked. */
export interface SwiftServer {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** The folder of its disk. */
  disk: string
  /** Lets it accept connections and answer none, until it is let go on. */
  stall: () => void
  goOn: () => void
  stop: () => void
}

const rings = ['object', 'container', 'account'] as const
const account = { accessKeyId: 'faxes:admin', secretAccessKey: 'a-secret-of-the-test' }
const startWithin = 60_000

/** Whether Swift is installed here. */
export function findSwift(): boolean {
  try {
    execFileSync('sh', [
      '-c',
      'command -v memcached && command -v swift-proxy-server && command -v swift-object-server',
    ])
    return true
  } catch {
    return false
  }
}

function common(root: string, port: number): string {
  return `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nbind_timeout = 2\nworkers = 0\nswift_dir = ${root}\nuser = ${userInfo().username}\nlog_level = ERROR\n`
}

function storageServer(root: string, kind: string, port: number): string {
  return `${common(root, port)}devices = ${root}/disks\nmount_check = false\ndisable_fallocate = true
[pipeline:main]\npipeline = ${kind}-server
[app:${kind}-server]\nuse = egg:swift#${kind}\n`
}

function proxy(root: string, port: number, cachePort: number): string {
  const parts = ['catch_errors', 'cache', 's3api', 'tempauth', 'copy', 'slo', 'dlo']
  const [user = '', group = ''] = account.accessKeyId.split(':')
  const options: Record<string, string> = {
    cache: `memcache_servers = 127.0.0.1:${cachePort}\n`,
    s3api: 'location = us-east-1\n',
    tempauth: `user_${user}_${group} = ${account.secretAccessKey} .admin\n`,
  }
  const filters = parts.map(
    (part) => `[filter:${part}]\nuse = egg:swift#${part === 'cache' ? 'memcache' : part}\n${options[part] ?? ''}`,
  )
  return `${common(root, port)}[pipeline:main]\npipeline = ${parts.join(' ')} proxy-server
[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${filters.join('')}`
}

/** What `swift-ring-builder` does for one disk with one copy; nine starts of it took longer than all the tests. */
const ringsOf = `import sys
from swift.common.ring import RingBuilder
for pair in sys.argv[2:]:
    kind, port = pair.split('=')
    here = dict(ip='127.0.0.1', port=int(port), replication_ip='127.0.0.1', replication_port=int(port))
    builder = RingBuilder(1, 1, 0)
    builder.add_dev(dict(here, region=1, zone=1, device='d1', weight=1.0, meta=''))
    builder.rebalance()
    builder.get_ring().save(f'{sys.argv[1]}/{kind}.ring.gz')`

function buildRings(root: string, ports: ReadonlyMap<string, number>): void {
  const pairs = [...ports].map(([kind, port]) => `${kind}=${port}`)
  // The Python of the system, for which its package of Swift is.
  execFileSync('/usr/bin/python3', ['-c', ringsOf, root, ...pairs])
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

/** Starts the four servers in a folder of their own and waits until all of them answer. */
export async function startSwift(): Promise<SwiftServer> {
  const root = mkdtempSync(join(tmpdir(), 'faxdeck-swift-'))
  mkdirSync(join(root, 'disks/d1'), { recursive: true })
  const policy = '[storage-policy:0]\nname = one\ndefault = yes\n'
  writeFileSync(
    join(root, 'swift.conf'),
    `[swift-hash]\nswift_hash_path_suffix = x\nswift_hash_path_prefix = y\n${policy}`,
  )
  const ports = new Map<string, number>()
  for (const kind of rings) {
    const port = await reservePort()
    ports.set(kind, port)
    writeFileSync(join(root, `${kind}.conf`), storageServer(root, kind, port))
  }
  buildRings(root, ports)
  const [port, cachePort] = [await reservePort(), await reservePort()]
  writeFileSync(join(root, 'proxy.conf'), proxy(root, port, cachePort))
  let printed = ''
  const commands = [...rings, 'proxy'].map((kind): [string, string[]] => [
    `swift-${kind}-server`,
    [join(root, `${kind}.conf`)],
  ])
  commands.push(['memcached', ['-l', '127.0.0.1', '-p', String(cachePort), '-u', userInfo().username]])
  const servers = commands.map(([command, args]) => {
    const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (bytes) => {
        printed += String(bytes)
      })
    }
    return server
  })
  const signalProxy = (signal: 'SIGSTOP' | 'SIGCONT') => () => void servers[rings.length]?.kill(signal)
  const stop = () => {
    for (const server of servers) server.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  }
  const endpoint = `http://127.0.0.1:${port}`
  const urls = [...ports.values()].map((each) => `http://127.0.0.1:${each}`)
  const until = Date.now() + startWithin
  // Also those behind the proxy: on a busy machine it can answer before they do, and refuses what it is asked then.
  while (!(await Promise.all([...urls, endpoint].map(answers))).every(Boolean)) {
    if (Date.now() > until) {
      stop()
      throw new Error(`Swift did not start. It printed:\n${printed}`)
    }
    await delay(200)
  }
  const disk = join(root, 'disks/d1')
  return { endpoint, ...account, disk, stall: signalProxy('SIGSTOP'), goOn: signalProxy('SIGCONT'), stop }
}
