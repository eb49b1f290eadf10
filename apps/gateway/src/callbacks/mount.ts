import type { IncomingFax, Provider, Webhook, WebhookRequest } from '@faxdeck/provider-kit'
import { ProviderProblem } from '@faxdeck/provider-kit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../http/problem.ts'
import type { CallbackDoors } from './doors.ts'
import { readWebhook } from './read-webhook.ts'

/** 50 MB: the largest document a provider may push to us. */
const largestWebhookBytes = 50 * 1024 * 1024
/** Of a fax that is not taken now. */
const retryAfterSeconds = 3600

function readOrRefuse(request: FastifyRequest, publicUrl: string): WebhookRequest {
  const { method, url: path, headers, body } = request
  try {
    return readWebhook({ method, path, headers, body: body as Buffer }, publicUrl)
  } catch {
    throw new Problem('bad_request', 'The body could not be read as the form its Content-Type announces.')
  }
}

async function translate(webhook: Webhook, request: FastifyRequest, doors: CallbackDoors, provider: Provider) {
  const settings = doors.settings()
  const read = readOrRefuse(request, doors.publicUrl())
  if (!webhook.verify(read, settings)) {
    await doors.refused({ path: webhook.path, backend: provider.id })
    throw new Problem('unauthorized', `The request could not prove that it comes from ${provider.name}.`)
  }
  try {
    return webhook.translate(read, settings)
  } catch (error) {
    if (error instanceof ProviderProblem) throw new Problem('bad_request', error.message)
    throw error
  }
}

/**
 * @throws {Problem} `bad_request` when the document that the notice names cannot be the fax; `unavailable` while
 * receiving is off, upon which providers keep a fax and bring it again for a day or longer
 */
async function receive(doors: CallbackDoors, provider: Provider, path: string, fax: IncomingFax): Promise<void> {
  const received = await doors.receive(provider.id, fax).catch((error: unknown) => {
    throw error instanceof ProviderProblem ? new Problem('bad_request', error.message) : error
  })
  if (received) return
  await doors.declined({ path, backend: provider.id, provider_id: fax.providerId })
  throw new Problem('unavailable', 'Receiving is off. Bring the fax again later.', { retryAfterSeconds })
}

/** Mounts the webhooks of every provider. The answer is given only when everything it reports is recorded. */
export function mountCallbacks(app: FastifyInstance, doors: CallbackDoors): void {
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestWebhookBytes }, (_request, body, done) => {
      done(null, body)
    })
    for (const provider of doors.providers) {
      for (const webhook of provider.webhooks) mountOne(scope, webhook, provider, doors)
    }
    ready()
  })
}

function mountOne(scope: FastifyInstance, webhook: Webhook, provider: Provider, doors: CallbackDoors): void {
  scope.post(webhook.path, { bodyLimit: largestWebhookBytes, config: { webhook: true } }, async (request, reply) => {
    if (webhook.internal && !doors.isInternal(request)) {
      throw new Problem('forbidden', 'This address answers only to the private network. See INTERNAL_ALLOWED_CIDRS.')
    }
    request.body ??= Buffer.alloc(0)
    const outcome = await translate(webhook, request, doors, provider)
    for (const update of outcome.updates ?? []) await doors.report(provider.id, update)
    for (const fax of outcome.incoming ?? []) await receive(doors, provider, webhook.path, fax)
    const own = doors.receives() ? outcome.answer : (outcome.answerWhenOff ?? outcome.answer)
    const answer = own ?? { status: 200, contentType: 'application/json', body: '{"ok":true}' }
    return reply.status(answer.status).type(answer.contentType).send(answer.body)
  })
}
