import { type RouteName, type RouteRow, routes, type Routes } from '@faxdeck/contract'
import { problemOf } from './answers/errors.ts'
import type { Guards } from './callers/guards.ts'
import type { Answer, Call, Caller, Handlers, Upload } from './handler.ts'
import { invalid } from './answers/invalid.ts'
import type { Origin } from './callers/origin.ts'

/** Who makes a call, and from where. */
export interface Who {
  caller: Caller
  origin: Origin
}

interface InsideInput {
  params?: unknown
  query?: unknown
  body?: unknown
  form?: unknown
  file?: Upload
  headers?: Readonly<Record<string, string>>
}

/** Makes a call of the contract without HTTP. @throws {Problem} what the same request would be answered */
export type InsideCalls<N extends RouteName> = <M extends N>(
  name: M,
  input: InsideInput,
  who: Who,
) => Promise<Answer<Routes[M]>>

function parsed(row: RouteRow, part: 'params' | 'query' | 'body' | 'form', given: unknown): unknown {
  const schema = part === 'query' ? row.query?.strict() : row[part]
  const result = schema?.safeParse(given ?? {})
  if (result?.success === false) throw invalid(result.error.issues)
  return result?.data
}

const neverGone = new AbortController().signal

/** The calls of the contract for those who come by another way than HTTP, with the same guards and the same checks. */
export function createInsideCalls<N extends RouteName>(handlers: Handlers<N>, guards: Guards): InsideCalls<N> {
  let count = 0
  return async <M extends N>(name: M, { file, headers = {}, ...given }: InsideInput, { caller, origin }: Who) => {
    const row: RouteRow = routes[name]
    await guards.permit(row, caller, origin)
    const handler = handlers[name] as (call: Call) => unknown
    const call = {
      params: parsed(row, 'params', given.params),
      query: parsed(row, 'query', given.query),
      body: parsed(row, 'body', given.body),
      form: parsed(row, 'form', given.form),
      file,
      caller,
      requestId: `inside-${(count++).toString(36)}`,
      idempotencyKey: row.idempotent ? headers['idempotency-key'] : undefined,
      headers,
      gone: neverGone,
      setHeader: () => undefined,
      replayed: () => undefined,
    } as Call
    try {
      return (await handler(call)) as Answer<Routes[M]>
    } catch (error) {
      throw problemOf(error) ?? error
    }
  }
}
