import { goesOnWhenFull } from './callers/full-disk.ts'
import { Problem } from './answers/problem.ts'
import type { Readable } from 'node:stream'
import { type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { z } from 'zod'
import { sendFile, compressAnswer } from './answers/answer.ts'
import { setBudgetHeaders } from './callers/budget.ts'
import { ArrivedBody, takeBody } from './forms/arrived-body.ts'
import { type Form, readUpload } from './forms/form.ts'
import type { Guards } from './callers/guards.ts'
import type { Call, Caller, FileAnswer, Handlers } from './handler.ts'
import type { DocumentMemory } from '../storage/document-memory.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards; null on routes without a key. */
    caller: Caller | null
  }
}

const largestWithoutKey = 16 * 1024

/** Where uploads wait, and the memory they wait for. */
export interface UploadRoom {
  folder: string
  memory: DocumentMemory
}

/** Whoever waits for longer had better come again. */
const maxWaitMs = 20_000
const retryAfterSeconds = 5

type AnyHandler = (call: Call) => unknown

function statusOf(row: RouteRow): number {
  return row.status ?? (row.reply === 'none' ? 204 : 200)
}

const mayBeLeftOut = (body: z.ZodType) => body.safeParse(undefined).success

/** What comes without a body arrives as null. */
const orNothing = (body: z.ZodType) => z.preprocess((given) => given ?? undefined, body)

const schemas = new WeakMap<RouteRow, FastifySchema>()

/** Made once for each row: tests register the rows of hundreds of gateways. */
function schemaOf(row: RouteRow): FastifySchema {
  const known = schemas.get(row)
  if (known) return known
  const schema = {
    ...(row.params ? { params: row.params } : {}),
    // A parameter that is misspelled would otherwise answer another question than was asked.
    querystring: (row.query ?? z.object({})).strict(),
    ...(row.body ? { body: mayBeLeftOut(row.body) ? orNothing(row.body) : row.body } : {}),
    ...(typeof row.reply === 'object' ? { response: { [statusOf(row)]: row.reply } } : {}),
  }
  schemas.set(row, schema)
  return schema
}

function guardOf(row: RouteRow, guards: Guards) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const origin = guards.originOf(request)
    // Answers and refusals alike: nothing of a fax gateway is for caches on the way.
    void reply.header('cache-control', 'no-store')
    guards.checkZone(row, origin)
    guards.checkSize(row, request)
    const caller = await admit(row, guards, request, origin)
    if (caller && row.rate) await guards.countCall(row.rate, caller, (budget) => setBudgetHeaders(reply, budget))
  }
}

async function admit(row: RouteRow, guards: Guards, request: FastifyRequest, origin = guards.originOf(request)) {
  if (row.permission === null) return undefined
  request.caller = await guards.admit(row.permission, request, origin, row.takesTokens)
  guards.checkGranted(row, request.caller, origin)
  guards.checkConfirmed(row, request.caller)
  return request.caller
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** A body may take minutes: whoever has ended meanwhile, or may less, does nothing with it. */
function guardBody(row: RouteRow, guards: Guards) {
  return async (request: FastifyRequest): Promise<void> => {
    if (hasBody(request)) await admit(row, guards, request)
  }
}

const isReadWithKey = ({ method, permission, reply }: RouteRow) =>
  method === 'GET' && permission !== null && typeof reply === 'object'

const nobodyAt = (address: string): Caller => ({
  kind: 'key',
  keyId: 'anonymous',
  permissions: new Set(),
  faxAccess: 'own',
  address,
})

const neverGone = new AbortController().signal

function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

/**
 * Does something with a form once there is memory for it.
 * @throws {Problem} `unavailable` when that takes too long; as `readUpload`
 */
async function withForm<T>(
  { row, guards, room, reply }: { row: RouteRow; guards: Guards; room: UploadRoom | undefined; reply: FastifyReply },
  { body, headers }: FastifyRequest,
  work: (form: Form | undefined) => Promise<T>,
): Promise<T> {
  const { form: schema } = row
  if (!schema) return work(undefined)
  const isArrived = body instanceof ArrivedBody
  if (!isArrived || !room) return work(readUpload({ body, headers }, schema, guards.settings()))
  const over = () => AbortSignal.any([whenGone(reply), AbortSignal.timeout(maxWaitMs)])
  const release = await room.memory.acquire(body.size, over).catch(() => {
    const sentence = `Faxdeck is busy with as many documents as its memory allows. Send this one again in ${retryAfterSeconds} seconds.`
    throw new Problem('unavailable', sentence, { retryAfterSeconds })
  })
  try {
    const bytes = body.read()
    await body.close()
    return await work(readUpload({ body: bytes, headers }, schema, guards.settings()))
  } finally {
    release()
  }
}

function handlerOf({ name, row, handler }: Registered, guards: Guards, room: UploadRoom | undefined) {
  const answer = async (request: FastifyRequest, reply: FastifyReply, form: Form | undefined) => {
    // The schemas of this very row have checked params, query and body; their types are those of the row.
    const call = {
      params: request.params,
      query: request.query,
      body: request.body,
      form: form?.fields,
      file: form?.file,
      caller: request.caller ?? nobodyAt(guards.originOf(request).address),
      requestId: request.id,
      idempotencyKey: row.idempotent ? request.headers['idempotency-key'] : undefined,
      replayed: () => void reply.header('Idempotent-Replayed', 'true'),
      headers: request.headers,
      gone: row.waits ? whenGone(reply) : neverGone,
      setHeader: (name: string, value: string) => void reply.header(name, value),
    } as Call
    return handler(call)
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (guards.isDiskFull() && !goesOnWhenFull(name, row.method)) throw new Problem('storage_full')
    const found = await withForm({ row, guards, room, reply }, request, (form) => answer(request, reply, form))
    void reply.status(statusOf(row))
    if (row.reply === 'none') return reply.send()
    if (typeof row.reply === 'string') return sendFile(row.reply, found as FileAnswer, request, reply)
    return reply.send(found)
  }
}

interface Registered {
  name: RouteName
  row: RouteRow
  handler: AnyHandler
}

function registerOne(app: FastifyInstance, one: Registered, guards: Guards, room?: UploadRoom): void {
  const { row } = one
  app.route({
    method: row.method,
    url: row.path,
    schema: schemaOf(row),
    onRequest: guardOf(row, guards),
    preHandler: guardBody(row, guards),
    // Of callers who show no key, nothing large is kept.
    ...(row.permission === null ? { bodyLimit: largestWithoutKey } : {}),
    ...(isReadWithKey(row) ? { onSend: compressAnswer } : {}),
    handler: handlerOf(one, guards, room),
  })
}

/** Registers calls of the contract: guards, validation and answer of each come from its row. */
export async function register<N extends RouteName>(
  app: FastifyInstance,
  handlers: Handlers<N>,
  guards: Guards,
  room: UploadRoom,
): Promise<void> {
  const all = (Object.entries(handlers) as [N, AnyHandler][]).map(([name, handler]) => {
    const row: RouteRow = routes[name]
    return { name, row, handler }
  })
  for (const one of all) if (!one.row.form) registerOne(app, one, guards)
  await app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request: FastifyRequest, body: Readable) =>
      takeBody(body, guards.settings(), room.folder),
    )
    // One that was refused meanwhile is nobody's.
    scope.addHook('onResponse', async ({ body }) => {
      if (body instanceof ArrivedBody) await body.close()
    })
    for (const one of all) if (one.row.form) registerOne(scope, one, guards, room)
  })
}
