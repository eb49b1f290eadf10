import {
  type IncomingFax,
  type Provider,
  type Webhook,
  type WebhookHead,
  type WebhookOutcome,
  type WebhookRequest,
  ProviderProblem,
} from '@faxdeck/provider-kit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../base/http/answers/problem.ts'
import { BodyReader } from './body-reader.ts'
import type { CallbackIntake } from './intake.ts'

interface ArrivedHead {
  method: string
  /** The path with its query, as requested. */
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

function singleHeaders(headers: ArrivedHead['headers']): Record<string, string | undefined> {
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(single) as Record<string, string | undefined>
}

/**
 * The head of a webhook in the shape that providers judge. The URL is the registered one: the public address with the
 * path and query of the request, because a signature covers what the provider was given, not what a proxy made of it.
 */
function readHead({ method, path, headers }: ArrivedHead, publicUrl: string): WebhookHead {
  return {
    method,
    url: publicUrl + path,
    headers: singleHeaders(headers),
    query: Object.fromEntries(new URL(path, 'http://localhost').searchParams),
  }
}

/** Of a fax that is not taken now. */
const retryAfterSeconds = 3600

interface Post {
  webhook: Webhook
  provider: Provider
  intake: CallbackIntake
  bodies: BodyReader
}

/** @throws {Problem} `bad_request` when the body cannot be understood, upon which the provider brings it again */
async function translate({ webhook, provider, intake }: Post, request: WebhookRequest): Promise<WebhookOutcome> {
  try {
    return webhook.translate(request, intake.settings())
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
    await intake.unreadable({ path: webhook.path, backend: provider.id, error: error.message })
    throw new Problem('bad_request', error.message)
  }
}

async function refuse({ webhook, provider, intake }: Post, address: string): Promise<Problem> {
  await intake.refused({ path: webhook.path, backend: provider.id, address })
  return new Problem('unauthorized', `The request could not be verified as coming from ${provider.name}.`)
}

/**
 * @throws {Problem} `bad_request` when the document that the notice names cannot be the fax; `unavailable` while
 * receiving is off, upon which providers keep a fax and bring it again for a day or longer
 * @returns our id of it
 */
async function receive({ webhook, provider, intake }: Post, fax: IncomingFax): Promise<string> {
  const received = await intake.receive(provider.id, fax).catch((error: unknown) => {
    throw error instanceof ProviderProblem ? new Problem('bad_request', error.message) : error
  })
  if (received) return received.id
  await intake.declined({ path: webhook.path, backend: provider.id, provider_id: fax.providerId })
  throw new Problem('unavailable', 'Receiving is off. Send the fax again later.', { retryAfterSeconds })
}

/** Records everything that a request reports, and says what to answer then. */
async function record(post: Post, outcome: WebhookOutcome) {
  const { provider, intake } = post
  for (const update of outcome.updates ?? []) await intake.report(provider.id, update)
  const ids: string[] = []
  for (const fax of outcome.incoming ?? []) ids.push(await receive(post, fax))
  const own = intake.receives() ? outcome.answer : (outcome.answerWhenOff ?? outcome.answer)
  const [id] = ids
  const body = JSON.stringify({ ok: true, ...(id === undefined ? {} : { id }) })
  return own ?? { status: 200, contentType: 'application/json', body }
}

/** Serves one request: the head is judged before its body is read, and the body before anything in it is believed. */
async function serve(post: Post, request: FastifyRequest) {
  const { webhook, intake, bodies } = post
  const sender = intake.senderOf(request)
  if (webhook.internal && !intake.isInternal(request)) {
    await refuse(post, sender)
    throw new Problem('forbidden', 'This address answers only to the private network. See INTERNAL_ALLOWED_CIDRS.')
  }
  const { method, url: path, headers } = request
  const head: WebhookHead = readHead({ method, path, headers }, intake.publicUrl())
  const proof = webhook.proveHead(head, intake.settings())
  if (proof === 'none') throw await refuse(post, sender)
  const { close, onDisk, ...body } = await bodies.read(request, webhook, head, proof, sender)
  try {
    const read = { ...head, ...body }
    if (!webhook.verify(read, intake.settings())) throw await refuse(post, sender)
    const leave = await bodies.admit({ onDisk })
    try {
      return await record(post, await translate(post, read))
    } finally {
      leave()
    }
  } finally {
    await close()
  }
}

/** Mounts the webhooks of every provider. The answer is given only when everything it reports is recorded. */
export function mountCallbacks(app: FastifyInstance, intake: CallbackIntake): void {
  const bodies = new BodyReader(intake.scratch, intake.memory)
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers()
    // The body stays where it is until the head has been judged.
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.addHook('onClose', () => intake.close())
    for (const provider of intake.providers) {
      for (const webhook of provider.webhooks) mountOne(scope, { webhook, provider, intake, bodies })
    }
    ready()
  })
}

function mountOne(scope: FastifyInstance, post: Post): void {
  scope.post(post.webhook.path, { config: { webhook: true } }, async (request, reply) => {
    const answer = await serve(post, request)
    return reply.status(answer.status).type(answer.contentType).send(answer.body)
  })
}
