import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { protect } from './protective-headers.ts'

async function headersOf(app: FastifyInstance) {
  app.get('/', (_request, reply) => reply.send())
  const { date: _, ...headers } = (await app.inject('/')).headers
  return headers
}

it('are those that Helmet writes, with a policy that names everything', async () => {
  const [ours, theirs] = [Fastify(), Fastify()]
  protect(ours, { isHttps: true })
  const { 'permissions-policy': permissions, ...headers } = await headersOf(ours)
  const directives = Object.fromEntries(
    String(headers['content-security-policy'])
      .split(';')
      .map((directive) => {
        const [name = '', ...values] = directive.split(' ')
        return [name, values]
      }),
  )
  await theirs.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: false },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  expect(headers).toEqual(await headersOf(theirs))
  expect(permissions).toContain('camera=(), ')
  const sources = ['default', 'script', 'style', 'img', 'font', 'connect', 'worker', 'object', 'frame']
  expect(Object.keys(directives)).toEqual([
    ...sources.map((name) => `${name}-src`),
    'frame-ancestors',
    'base-uri',
    'form-action',
  ])
})

it('ask for HTTPS only where this server speaks it: over HTTP it would lock people out', async () => {
  const app = Fastify()
  protect(app, { isHttps: false })
  expect(await headersOf(app)).not.toHaveProperty('strict-transport-security')
})
