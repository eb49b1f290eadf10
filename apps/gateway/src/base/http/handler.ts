import type { Readable } from 'node:stream'
import type { ReplyOf, RouteName, RouteRow, Routes } from '@faxdeck/contract'
import type { z } from 'zod'
import type { Actor } from './callers/keys.ts'

/** Who is calling, once the guards have let the call through. */
export interface Caller extends Actor {
  /** The peer's address, or the forwarded one when the peer is a trusted proxy. */
  address: string
}

/** One uploaded file, bounded by the size limit while it was read. */
export interface Upload {
  fileName: string | null
  bytes: Buffer
}

/** A file sent as the answer. */
export interface FileAnswer {
  content: Buffer | Uint8Array | Readable
  /** What it is, on rows that answer a `document`; a PDF when it is left out. */
  kind?: 'tiff' | 'text'
  /** Suggests a name to save under. */
  fileName?: string
  /** Strong validator; a matching If-None-Match is answered with 304. */
  etag?: string
}

type Parsed<R, K extends string> = R extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined

/** What a handler is given: the validated parts of the request and the caller. */
export interface Call<R extends RouteRow = RouteRow> {
  params: Parsed<R, 'params'>
  query: Parsed<R, 'query'>
  body: Parsed<R, 'body'>
  form: R extends { form: infer S extends z.ZodObject } ? z.output<S> : undefined
  /** The `file` of a multipart body; undefined when none was attached. */
  file: Upload | undefined
  caller: Caller
  requestId: string
  /** The caller's Idempotency-Key, on rows that honor one. */
  idempotencyKey: string | undefined
  /** Says that the answer is that of the first request with the same key. */
  replayed: () => void
  /** Aborted once the caller has gone, on rows whose answer may be held back. */
  gone: AbortSignal
  /** Request headers, lower-case. */
  headers: Readonly<Record<string, string | undefined>>
  /** Sets a header of the answer. */
  setHeader: (name: string, value: string) => void
}

/** What a handler answers: JSON that fits the row's schema, a file, or nothing. */
export type Answer<R extends RouteRow> = R['reply'] extends z.ZodType
  ? z.input<R['reply']>
  : ReplyOf<R> extends Blob
    ? FileAnswer
    : undefined

type Handler<N extends RouteName> = (call: Call<Routes[N]>) => Promise<Answer<Routes[N]>> | Answer<Routes[N]>
/** A handler for each of these calls, or for every call of the contract. */
export type Handlers<N extends RouteName = RouteName> = { [K in N]: Handler<K> }
