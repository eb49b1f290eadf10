import { fakeGateway } from '../demo/fake-gateway.ts'
import type { World } from '../demo/world.ts'

/** `fetch` that is answered by the gateway in memory. */
export function fakeFetch(world: World): typeof fetch {
  const answer = fakeGateway(world)
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(address instanceof Request ? address.url : address, 'http://console.test')
    await Promise.resolve()
    if (signal?.aborted) throw new DOMException('The call was canceled.', 'AbortError')
    const sent = typeof body === 'string' || body instanceof FormData ? body : undefined
    return answer({ method, address: url, key: new Headers(headers).get('x-api-key'), body: sent })
  }
}
