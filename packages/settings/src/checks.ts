/** Answers the sentence of a refusal, or nothing. */
type TextCheck = (value: string) => string | undefined

/** Accepts absolute URLs of these schemes. */
export function checkUrl(...schemes: readonly string[]): TextCheck {
  return (value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : undefined
    if (scheme !== undefined && schemes.includes(scheme)) return undefined
    return `Enter a full URL that begins with ${schemes.map((name) => `${name}://`).join(' or ')}.`
  }
}

/** `sqlite:PATH` with a file name, or a PostgreSQL address. */
export const isDatabaseUrl: TextCheck = (value) =>
  /^sqlite:.*[^/]$/.test(value) || /^postgres(ql)?:\/\/[^/]+\/.+/.test(value)
    ? undefined
    : 'It must be sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME.'

/** 32 bytes as 64 hex characters or as base64. */
export const isMasterKey: TextCheck = (value) =>
  /^[0-9a-fA-F]{64}$/.test(value) || /^[A-Za-z0-9+/_-]{43}=?$/.test(value)
    ? undefined
    : 'It must be 32 random bytes, written as 64 hex characters or as base64.'

export const isPath: TextCheck = (value) =>
  /^(\/[\w.-]+)+$/.test(value) ? undefined : 'It must be a path such as /mcp/http.'

/** The first segments of this gateway's own paths: under one of them a path would have two meanings. */
const ownPaths =
  /^\/(admin|admin-demo|docs|fax|health|inbound|mcp|metrics|mobile|openapi\.json|plugins|plugin-registry|sse|webhooks|webhook-deliveries|[^/]+-callback|[^/]+-inbound|_internal|\.well-known)(\/|$)/

/** `/faxdeck`, `/tools/fax`: no slash at its end, and none of the gateway's own paths. */
export const isBasePath: TextCheck = (value) => {
  if (!/^(\/[\w.-]+)+$/.test(value)) return 'It must be a path such as /faxdeck, without a slash at its end.'
  return ownPaths.test(value)
    ? 'Faxdeck itself has paths that begin like this. Choose another, such as /faxdeck.'
    : undefined
}

/** The items of a comma separated list, trimmed, empty ones dropped. */
export function listItems(value: string | null): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

const ipv4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/

/** 4 or 6 for an address of that version, else 0. In a browser too, which has no `node:net`. */
function addressVersion(address: string): 0 | 4 | 6 {
  if (ipv4.test(address)) return 4
  return /^[\da-f:.]*:[\da-f:.]*$/i.test(address) && URL.canParse(`http://[${address}]`) ? 6 : 0
}

function isAddressRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/')
  const family = addressVersion(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

/** Comma separated IPv4 or IPv6 addresses, each with an optional prefix length. */
export const addressRanges: TextCheck = (value) => {
  const wrong = listItems(value).find((item) => !isAddressRange(item))
  return wrong === undefined ? undefined : `"${wrong}" is not an address or a network such as 10.1.0.0/16.`
}

/** Comma separated host names, without scheme and port. */
export const hostNames: TextCheck = (value) => {
  const wrong = listItems(value).find((item) => !/^[\w-]+(\.[\w-]+)*$/.test(item) && addressVersion(item) === 0)
  return wrong === undefined ? undefined : `"${wrong}" is not a host name; leave out the scheme and the port.`
}
