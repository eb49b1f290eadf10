import { describe, expect, it } from 'vitest'
import { talk } from './dialogue.ts'
import { serveTcp } from '../testing/try-checks.ts'

const soon = () => AbortSignal.timeout(5000)
const hello = ({ readUntil }: { readUntil: (mark: string) => Promise<string> }) => readUntil('\n')

describe('a talk over TCP', () => {
  it('joins what arrives in pieces and keeps what comes after the mark', async () => {
    const port = await serveTcp((socket) => {
      for (const piece of ['one', ' line\nand ', 'another\n']) setImmediate(() => socket.write(piece))
    })
    const lines = await talk({ host: '127.0.0.1', port }, soon(), async ({ readUntil }) => [
      await readUntil('\n'),
      await readUntil('\n'),
    ])
    expect(lines).toEqual(['one line', 'and another'])
  })

  it('says in a sentence that nothing listens', async () => {
    const port = await serveTcp(() => undefined)
    const nobody = port === 1 ? 2 : 1
    await expect(talk({ host: '127.0.0.1', port: nobody }, soon(), hello)).rejects.toThrow(
      `No communication with 127.0.0.1 port ${nobody}: nothing listens there.`,
    )
  })

  it('ends when the other side hangs up in the middle', async () => {
    const port = await serveTcp((socket) => socket.end('half a li'))
    await expect(talk({ host: '127.0.0.1', port }, soon(), hello)).rejects.toThrow(/closed by the other side\.$/)
  })

  it('ends when its time is over, and hangs up', async () => {
    const hungUp = Promise.withResolvers<true>()
    const port = await serveTcp((socket) => socket.on('close', () => hungUp.resolve(true)).resume())
    await expect(talk({ host: '127.0.0.1', port }, AbortSignal.timeout(50), hello)).rejects.toThrow(
      /no answer came in time\.$/,
    )
    await hungUp.promise
  })

  it('does not read on without end when no mark comes', async () => {
    const port = await serveTcp((socket) => {
      const pour = () => {
        while (socket.writable && socket.write('x'.repeat(4096)));
      }
      socket.on('drain', pour)
      pour()
    })
    await expect(talk({ host: '127.0.0.1', port }, soon(), hello)).rejects.toThrow(/speaks another protocol\.$/)
  })
})
