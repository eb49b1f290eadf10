import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingProxy {
  url: string
  /** Calls of the API since the last `reset`, by method and path without its query. */
  counts: ReadonlyMap<string, number>
  reset: () => void
  close: () => void
}

/** Passes everything on to a gateway, streams as well, and counts what asks for data. */
export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const counts = new Map<string, number>()
  const { hostname, port } = new URL(target)
  const server = createServer((asked, answer) => {
    const path = (asked.url ?? '').split('?')[0] ?? ''
    const isPage = path.startsWith('/admin-demo') || path.startsWith('/docs')
    // The stream of changes is one request, however long it lasts.
    if (!isPage && path !== '/admin/events') {
      const name = `${asked.method ?? ''} ${path.replace(/[0-9a-f]{32}/, ':id')}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const onwards = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers })
    onwards.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onwards.on('error', () => answer.destroy())
    answer.on('close', () => onwards.destroy())
    asked.pipe(onwards)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    reset: () => counts.clear(),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
