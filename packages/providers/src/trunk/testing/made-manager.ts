import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A manager interface that hangs up on its first callers, and then says yes to everything. */
export async function madeManager(port: number, onCommand: (text: string) => void, refusals = 0): Promise<void> {
  let callers = 0
  const answer = (socket: Socket) => {
    let unread = ''
    socket.write('Asterisk Call Manager/11.0.0\r\n')
    socket.setEncoding('utf8').on('data', (piece: string) => {
      const actions = (unread + piece).split('\r\n\r\n')
      unread = actions.pop() ?? ''
      for (const action of actions) {
        onCommand(/^Command: (.*)$/m.exec(action)?.[1] ?? '')
        socket.write(`Response: Success\r\nActionID: ${/^ActionID: (.*)$/m.exec(action)?.[1] ?? ''}\r\n\r\n`)
      }
    })
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    callers += 1
    if (callers > refusals) answer(socket)
    else socket.destroy()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
}
