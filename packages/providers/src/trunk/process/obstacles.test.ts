import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { assertFree } from './obstacles.ts'

const bind = '127.0.0.1'

it('a SIP port that another program has is named, over UDP and over TCP', async () => {
  const server = createServer().listen(0, bind)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port: sipPort } = server.address() as AddressInfo
  const taken = `Another program uses port ${sipPort}.`
  for (const transport of ['tcp', 'tls'] as const)
    await expect(assertFree({ bind, sipPort, transport })).rejects.toThrow(taken)
  await expect(assertFree({ bind, sipPort, transport: 'udp' })).resolves.toBeUndefined()
  const socket = createSocket('udp4').bind(sipPort, bind)
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  await expect(assertFree({ bind, sipPort, transport: 'udp' })).rejects.toThrow(taken)
})
