import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'

/** Asks for the health over and over until it is stopped; the times in milliseconds, sorted. */
export function askHealth(port: number, key: string): { stop: () => Promise<number[]> } {
  const request = Buffer.from(`GET /admin/health-status HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\n\r\n`)
  const times: number[] = []
  const stopping = new AbortController()
  const asking = (async () => {
    const connection = await Connection.open(port)
    while (!stopping.signal.aborted) {
      const asked = performance.now()
      const status = await connection.ask(request)
      if (status !== 200) throw new Error(`The gateway answered ${status} instead of its health.`)
      times.push(performance.now() - asked)
      await sleep(5)
    }
    connection.close()
    return times.toSorted((a, b) => a - b)
  })()
  return {
    stop: () => {
      stopping.abort()
      return asking
    },
  }
}
