import type { FastifyInstance } from 'fastify'
import type { Guards } from '../../../base/http/callers/guards.ts'
import { senderOf } from '../../../base/http/callers/network.ts'
import { type BackchannelLogout, logoutPath } from './backchannel-logout.ts'

/** Bytes of a form: a token has a few hundred. */
const largestForm = 16 * 1024

function tokenIn(form: unknown): string | null {
  const [token = null, ...more] = form instanceof URLSearchParams ? form.getAll('logout_token') : []
  return more.length === 0 ? token : null
}

/** Serves the address at which the provider of single sign-on says that somebody has signed out there. */
export function serveLogouts(app: FastifyInstance, guards: Guards, logouts: BackchannelLogout): void {
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers()
    const form = { parseAs: 'string', bodyLimit: largestForm } as const
    scope.addContentTypeParser<string>('application/x-www-form-urlencoded', form, (_request, body, done) =>
      done(null, new URLSearchParams(body)),
    )
    // The provider calls from wherever it is, as those of callbacks do.
    scope.post(logoutPath, { config: { webhook: true }, bodyLimit: largestForm }, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      await logouts.take(tokenIn(request.body), senderOf(guards.originOf(request).address))
      return reply.status(200).send()
    })
    ready()
  })
}
