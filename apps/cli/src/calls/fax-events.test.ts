import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { exitCodes } from '../exit-codes.ts'
import { streams } from './connect.ts'
import { lookAtArrivals } from './fax-events.ts'

it('takes a stream that breaks for one that ended', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError('terminated')) })
  let looks = 0
  await lookAtArrivals(
    async () => broken,
    async () => void looks++,
  )
  expect(looks).toBe(1)
})

it('takes a gateway that is starting for one that is away', async () => {
  const server = createServer((_request, response) => void response.writeHead(503).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const open = streams(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => 'k')
  await expect(open('/fax/events', undefined)).rejects.toMatchObject({ exitCode: exitCodes.unreachable })
})
