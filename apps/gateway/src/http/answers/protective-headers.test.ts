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
  protect(ours)
  const headers = await headersOf(ours)
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
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  expect(headers).toEqual(await headersOf(theirs))
  const sources = ['default', 'script', 'style', 'img', 'font', 'connect', 'worker', 'object', 'frame']
  expect(Object.keys(directives)).toEqual([
    ...sources.map((name) => `${name}-src`),
    'frame-ancestors',
    'base-uri',
    'form-action',
  ])
})
