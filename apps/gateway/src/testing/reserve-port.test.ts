import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { reservePort } from './reserve-port.ts'

async function listen(port: number) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => new Promise((resolve) => server.close(resolve)) }
}

it('reserves a port that a server may use again and again, and nobody else is given', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, reservePort))
  const [own = 0] = ports
  await (await listen(own)).close()
  // Without a reservation about seven of these would be given a reserved port.
  const others = await Promise.all(Array.from({ length: 500 }, () => listen(0)))
  await Promise.all(others.map(({ close }) => close()))
  expect(others.filter(({ port }) => ports.includes(port))).toEqual([])
  await (await listen(own)).close()
})
