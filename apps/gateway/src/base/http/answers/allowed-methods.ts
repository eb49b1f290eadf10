import { faxStream, liveStream, type RouteRow, routes } from '@faxdeck/contract'

const addresses = [...Object.values<RouteRow>(routes), liveStream, faxStream].map(({ method, path }) => ({
  method,
  shape: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** The methods that calls at an address take; undefined when there is no call. */
export function allowedMethods(url: string): string[] | undefined {
  const path = url.split('?', 1)[0] ?? ''
  const methods = addresses.filter(({ shape }) => shape.test(path)).map(({ method }) => method)
  if (methods.length === 0) return undefined
  // GET includes HEAD (RFC 9110, section 9.3.2).
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}
