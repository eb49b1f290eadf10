import type { FastifyInstance } from 'fastify'

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  // The component library and the terminal set styles on elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join(';')

/** What no page here uses; passkeys, the clipboard and full screen stay as they are. */
const permissionsPolicy = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** What Helmet writes with this policy, which has none of its own for permissions; the tests compare. They are the same on every answer. */
export const protectiveHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissionsPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** For two years, as browsers' lists ask. Subdomains are none of ours. */
const onlyHttps = { 'strict-transport-security': 'max-age=63072000' }

/** Puts the protective headers on every answer. @param isHttps whether this server speaks HTTPS by itself */
export function protect(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  const headers = isHttps ? { ...protectiveHeaders, ...onlyHttps } : protectiveHeaders
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
