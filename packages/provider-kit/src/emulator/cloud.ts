import type { Courier } from './courier.ts'
import type { Emulator, EmulatorOptions } from './emulator.ts'
import type { EmulatedFax, EmulatedLine } from './line.ts'
import { type EmulatedServer, type Handle, serve } from './serve.ts'

/** An emulator of a provider that is reached over HTTP, with its server. */
export interface CloudEmulator extends Emulator, Pick<EmulatedServer, 'origin' | 'requests' | 'answerNext'> {}

interface Parts {
  handle: Handle
  line: EmulatedLine
  courier: Courier
  nextId: () => string
  /** Reports a received fax to the gateway. */
  deliver: (fax: EmulatedFax) => Promise<unknown>
  env: (origin: string) => Emulator['env']
}

/** Puts a provider's emulator on this machine. */
export async function serveEmulator(
  options: Pick<EmulatorOptions, 'port' | 'latencyMs' | 'now'>,
  parts: Parts,
): Promise<CloudEmulator> {
  const { handle, line, courier, nextId, deliver, env } = parts
  const server = await serve(handle, options)
  return {
    ...server,
    env: env(server.origin),
    faxes: line.faxes,
    receive: async ({ reported = 'once', ...given }) => {
      const fax = line.receive({ ...given, id: nextId(), callbackUrl: null, labels: {} })
      const times = { never: 0, once: 1, twice: 2 }[reported]
      await Promise.all(Array.from({ length: times }, () => deliver(fax)))
      return fax.id
    },
    close: async () => {
      line.close()
      await courier.close()
      await server.close()
    },
  }
}
