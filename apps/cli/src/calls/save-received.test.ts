import { spawn } from 'node:child_process'
import { once } from 'node:events'
import files, { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Client, ReceivedFax } from '@faxdeck/contract'
import { CallProblem } from '@faxdeck/contract'
import { expect, it, onTestFinished } from 'vitest'
import { ReceivedFolder, type Saving } from './save-received.ts'

/** Counts what the code under test does to the disk. From `diesAt` on nothing is done any more, as after a kill. */
function mortalDisk() {
  const disk = { done: 0, diesAt: Number.POSITIVE_INFINITY }
  const names = ['mkdir', 'open', 'readFile', 'rename', 'rm', 'stat', 'writeFile'] as const
  const real = Object.fromEntries(names.map((name) => [name, files[name]]))
  const set = (all: object) => {
    Object.assign(files, all)
    syncBuiltinESMExports()
  }
  const mortal = (act: (...given: unknown[]) => unknown) => {
    return (...given: unknown[]) => (++disk.done >= disk.diesAt ? Promise.reject(new Error('killed')) : act(...given))
  }
  set(Object.fromEntries(names.map((name) => [name, mortal(real[name] as never)])))
  onTestFinished(() => set(real))
  return disk
}

const idOf = (n: number) => n.toString(16).padStart(32, '0')
const nameOf = (n: number) => `2026-11-22T18-12-0${n}Z_${idOf(n)}.pdf`
const fax = (n: number, hasDocument = true) =>
  ({
    id: idOf(n),
    received_at: `2026-11-22T18:12:0${n}.000Z`,
    pages: 1,
    error: null,
    cursor: `place ${n}`,
    links: { self: '', document: hasDocument ? 'there' : null },
  }) as unknown as ReceivedFax

/** A gateway that has these faxes, two on a page. */
function gatewayWith(faxes: ReceivedFax[]): Client {
  const missing = (id: string) => {
    if (!faxes.some((each) => each.id === id))
      throw new CallProblem({ method: 'GET', path: '/received/:id', failure: '' } as never, 404, 'Not Found')
  }
  return {
    listReceived: async ({ query: { cursor } }: { query: { cursor?: string } }) => {
      const from = faxes.findIndex((each) => each.cursor === cursor) + 1
      const page = faxes.slice(from, from + 2)
      return { faxes: page, next_cursor: faxes.length > from + 2 ? page.at(-1)?.cursor : null }
    },
    getReceived: async ({ params: { id } }: { params: { id: string } }) => missing(id),
    getReceivedDocument: async ({ params: { id } }: { params: { id: string } }) => new Blob([`%PDF ${id}`]),
  } as unknown as Client
}

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const savingTo = (folder: string, faxes: ReceivedFax[], more: Partial<Saving> = {}): Saving => {
  const base = { client: gatewayWith(faxes), url: 'http://a', folder, to: null, withDetails: false }
  return { ...base, onSaved: () => undefined, ...more }
}

async function save(saving: Saving): Promise<void> {
  const folder = await ReceivedFolder.open(saving)
  try {
    await folder.catchUp()
  } finally {
    await folder.close()
  }
}

const saved = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()

it('saves what is new, once, with its details first where they are wanted', async () => {
  const folder = await newFolder()
  const faxes = [fax(1), fax(2, false), fax(3)]
  const seen: (string | null)[] = []
  await save(savingTo(folder, faxes, { onSaved: (_, path) => seen.push(path) }))
  expect(seen).toEqual([join(folder, nameOf(1)), null, join(folder, nameOf(3))])
  // Whoever takes them away does not get them again.
  await rm(join(folder, nameOf(1)))
  faxes.push(fax(4))
  await save(savingTo(folder, faxes, { withDetails: true }))
  expect(await saved(folder)).toEqual([nameOf(3), nameOf(4).replace('pdf', 'json'), nameOf(4)])
  expect(JSON.parse(await readFile(join(folder, nameOf(4).replace('pdf', 'json')), 'utf8'))).toEqual(fax(4))
})

it('killed between any two steps, it has lost nothing and holds no half of a file', async () => {
  const disk = mortalDisk()
  const faxes = [fax(1), fax(2), fax(3)]
  for (let step = 1, isDone = false; !isDone; step++) {
    const folder = await newFolder()
    Object.assign(disk, { done: 0, diesAt: step })
    isDone = await save(savingTo(folder, faxes)).then(
      () => disk.done < step,
      () => false,
    )
    disk.diesAt = Number.POSITIVE_INFINITY
    for (const name of await saved(folder))
      expect(await readFile(join(folder, name), 'utf8'), `step ${step}`).toMatch(/^%PDF [0-9a-f]{32}$/)
    await save(savingTo(folder, faxes))
    expect(await saved(folder), `step ${step}`).toEqual([1, 2, 3].map(nameOf))
    expect(step).toBeLessThan(200)
  }
})

it('reads the list from the beginning when the gateway no longer knows the last fax', async () => {
  const folder = await newFolder()
  await save(savingTo(folder, [fax(1), fax(2)]))
  await save(savingTo(folder, [fax(1), { ...fax(3), cursor: 'place 2' }]))
  expect(await saved(folder)).toEqual([1, 2, 3].map(nameOf))
})

it('refuses a folder of another gateway or number, and one that another run saves to', async () => {
  const folder = await newFolder()
  await save(savingTo(folder, [fax(1)]))
  await expect(save(savingTo(folder, [], { url: 'http://b' }))).rejects.toThrow('holds faxes of http://a')
  await expect(save(savingTo(folder, [], { to: '+15555550100' }))).rejects.toThrow('Choose another folder')
  const lock = join(folder, '.faxdeck-inbox.lock')
  await writeFile(lock, JSON.stringify({ host: hostname(), pid: process.ppid }))
  await expect(save(savingTo(folder, []))).rejects.toThrow('Another run saves to')
  // That run was killed on another machine.
  await writeFile(lock, JSON.stringify({ host: 'elsewhere', pid: 1 }))
  await expect(save(savingTo(folder, []))).rejects.toThrow('Another run saves to')
  await utimes(lock, new Date(0), new Date(0))
  await save(savingTo(folder, []))
  await writeFile(lock, '')
  await save(savingTo(folder, []))
})

it('stops when another run has taken the folder over', async () => {
  const folder = await newFolder()
  const held = await ReceivedFolder.open(savingTo(folder, [fax(1)]))
  await writeFile(join(folder, '.faxdeck-inbox.lock'), JSON.stringify({ host: 'elsewhere', pid: 1 }))
  await expect(held.catchUp()).rejects.toThrow('Another run saves to')
  expect(await saved(folder)).toEqual([])
  await held.close()
})

it('the program saves what arrives when the stream says so, and goes on after a kill', async () => {
  const folder = await newFolder()
  const faxes = [fax(1)]
  let ring = () => {}
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://a')
    if (pathname === '/fax/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': open\n\n')
      ring = () => void response.write('id: 1\nevent: inbound.received\ndata: {}\n\n')
      return
    }
    if (pathname.endsWith('/document')) return void response.end('%PDF')
    response.setHeader('content-type', 'application/json')
    if (pathname !== '/received') return void response.end(JSON.stringify(faxes[0]))
    const from = faxes.findIndex(({ cursor }) => cursor === searchParams.get('cursor')) + 1
    response.end(JSON.stringify({ faxes: faxes.slice(from), next_cursor: null }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const start = () => {
    const words = ['inbox', '--follow', '--save', folder, '--url', `http://127.0.0.1:${port}`, '--key', 'k']
    const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...words])
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  }
  const first = start()
  expect((await first.lines.next()).value).toContain(nameOf(1))
  faxes.push(fax(2))
  await expect.poll(() => ring.length === 0 && ring.toString()).toContain('inbound.received')
  ring()
  expect((await first.lines.next()).value).toContain(nameOf(2))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  faxes.push(fax(3))
  const second = start()
  expect((await second.lines.next()).value).toContain(nameOf(3))
  second.child.kill('SIGKILL')
  await once(second.child, 'exit')
  expect(await saved(folder)).toEqual([1, 2, 3].map(nameOf))
}, 60_000)
