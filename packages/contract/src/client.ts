import type { z } from 'zod'
import type { RouteRow } from './route.ts'
import type { Routes } from './routes.ts'
import type { ProblemReply } from './shapes.ts'

/** What a client needs to know of a row at run time: no schemas, so that it is small in a browser. */
export interface WireCall {
  method: string
  path: string
  failure: string
  shortError: string
  reply: 'json' | 'file' | 'none'
}
export type WireCalls = Record<keyof Routes, WireCall>

type Part<R, K extends string, P extends string> =
  R extends Record<K, infer S extends z.ZodType>
    ? Optional<S> extends true
      ? Partial<Record<P, z.input<S>>>
      : Record<P, z.input<S>>
    : unknown
type Query<R> = R extends { queryOptional: true } & Record<'query', infer S extends z.ZodType>
  ? { query?: z.input<S> }
  : Part<R, 'query', 'query'>
type Optional<T extends z.ZodType> = undefined extends z.input<T> ? true : false
// Field by field: the input of an object without fields would forbid the file too.
type Fields<S extends z.ZodObject> = {
  [F in keyof S['shape'] as Optional<S['shape'][F]> extends true ? never : F]: z.input<S['shape'][F]>
} & { [F in keyof S['shape'] as Optional<S['shape'][F]> extends true ? F : never]?: z.input<S['shape'][F]> }
type FormFile<R> = R extends { fileOptional: true } ? { file?: File } : { file: File }
type Upload<R> = R extends { form: infer S extends z.ZodObject } ? { form: Fields<S> & FormFile<R> } : unknown

/** What a call takes: `params`, `query`, `body` or `form`, as its row says. */
export type InputOf<R> = Part<R, 'params', 'params'> & Query<R> & Part<R, 'body', 'body'> & Upload<R>
/** What a call answers: the parsed JSON, a Blob for files, nothing for 'none'. */
export type ReplyOf<R extends RouteRow> = R['reply'] extends z.ZodType
  ? z.output<R['reply']>
  : R['reply'] extends 'none'
    ? undefined
    : Blob

/** What clients read of an error answer. */
type Refusal = Pick<ProblemReply, 'detail' | 'code' | 'request_id' | 'fields'>

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Where a file goes as it comes, for one that may be larger than memory. What is answered is empty then. */
  into?: WritableStream<Uint8Array>
}
export type Client = {
  [N in keyof Routes]: (input: InputOf<Routes[N]>, options?: CallOptions) => Promise<ReplyOf<Routes[N]>>
}

/** A call that did not succeed. `message` is the short line: "API Error: 500 Internal Server Error". */
export class CallProblem extends Error {
  override name = 'CallProblem'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The row's sentence for this failure. */
  readonly failure: string
  /** What the server said, when it said anything. */
  readonly answer: Refusal | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(call: WireCall, status: number, statusText: string, answer?: Refusal, retryAfter?: number) {
    const code = call.shortError === 'API Error' ? `${status} ${statusText}`.trim() : String(status)
    super(status === 0 ? call.failure : `${call.shortError}: ${code}`)
    this.status = status
    this.failure = call.failure
    this.answer = answer
    this.retryAfterSeconds = retryAfter
  }
}

interface Connection {
  /** Origin of the gateway without a trailing slash; empty for the page's own origin. */
  baseUrl: string
  key: () => string | undefined
  fetch?: typeof globalThis.fetch
  /** Called with every failure, for example to end a session on 401. */
  onProblem?: (problem: CallProblem) => void
}

interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  form?: Record<string, string | File | undefined>
}

function addressOf(call: WireCall, input: AnyInput): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

function bodyOf(input: AnyInput): { body?: string | FormData; type?: string } {
  if (input.form) {
    const form = new FormData()
    const { file, ...fields } = input.form
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
    if (file) form.append('file', file)
    return { body: form }
  }
  if (input.body === undefined) return {}
  return { body: JSON.stringify(input.body), type: 'application/json' }
}

async function problemOf(call: WireCall, response: Response): Promise<CallProblem> {
  const answer = (await response.json().catch(() => undefined)) as Refusal | undefined
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const said = typeof answer?.detail === 'string' ? answer : undefined
  return new CallProblem(call, response.status, response.statusText, said, retryAfter || undefined)
}

/** Whether a thrown value is a canceled request rather than a failure. */
const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

async function perform(call: WireCall, input: AnyInput, options: CallOptions, to: Connection): Promise<unknown> {
  const { body, type } = bodyOf(input)
  const key = to.key()
  const headers = {
    ...(key ? { 'x-api-key': key } : {}),
    ...(type ? { 'content-type': type } : {}),
    ...options.headers,
  }
  const send = to.fetch ?? globalThis.fetch
  const response = await send(to.baseUrl + addressOf(call, input), {
    method: call.method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((error: unknown) => {
    throw isAbort(error) ? error : new CallProblem(call, 0, '')
  })
  if (!response.ok) throw await problemOf(call, response)
  if (call.reply === 'none') return undefined
  if (call.reply === 'json') return response.json()
  if (!options.into || !response.body) return response.blob()
  await response.body.pipeTo(options.into, options.signal ? { signal: options.signal } : {})
  return new Blob([])
}

/**
 * A function per call of the contract.
 * @throws {CallProblem} when the gateway cannot be reached or refuses.
 */
export function createClient(calls: WireCalls, connection: Connection): Client {
  const entries = Object.entries(calls).map(([name, call]) => [
    name,
    async (input: AnyInput = {}, options: CallOptions = {}) => {
      try {
        return await perform(call, input, options, connection)
      } catch (error) {
        if (error instanceof CallProblem) connection.onProblem?.(error)
        throw error
      }
    },
  ])
  return Object.fromEntries(entries) as Client
}
