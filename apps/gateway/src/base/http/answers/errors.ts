import type { ProblemCode } from '@faxdeck/contract'
import { DocumentProblem } from '@faxdeck/documents'
import { ProviderProblem } from '@faxdeck/provider-kit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { DatabaseAway, OutcomeUnknown } from '../../db/outage.ts'
import { isDatabaseFull, isDatabaseUnwritable } from '../../db/transact.ts'
import { DatabaseMoved } from '../../db/watch-place.ts'
import { StorageProblem } from '../../storage/storage.ts'
import { invalid } from './invalid.ts'
import { Problem } from './problem.ts'
import { problemReplyOf, problemType } from './problem-reply.ts'

/** Seconds after which a caller may try again when nobody knows better. */
const pause = 10
/** A database that was started again, or a standby that took over, is there within seconds. */
const databasePause = 2
/** Documents that others wait for take seconds each. */
const documentsPause = 60

function textOf(error: object, name: 'code' | 'message'): string {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : ''
}

function validationProblem(error: unknown): Problem | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined
  return invalid(
    error.validation.map(({ instancePath, message }) => ({ path: instancePath.split('/').slice(1), message })),
  )
}

/** What the system says when files cannot be written, errno(3): no rights, read-only, a broken disk, too many open. */
const unwritable = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'EMFILE', 'ENFILE'])

function storageProblem(error: unknown): Problem | undefined {
  if (error instanceof DatabaseMoved) return new Problem('storage_unavailable', error.message)
  if (error instanceof StorageProblem) {
    if (error.code === 'full') return new Problem('storage_full')
    if (error.code === 'missing') return new Problem('document_missing')
    if (error.code === 'damaged') return new Problem('document_missing', error.message)
    const isAway = error.code === 'displaced' || error.code === 'unreachable'
    return isAway ? new Problem('storage_unavailable', error.message) : undefined
  }
  const code = error instanceof Error ? textOf(error, 'code') : ''
  if (code === 'ENOSPC' || code === 'EDQUOT' || isDatabaseFull(error)) return new Problem('storage_full')
  return unwritable.has(code) || isDatabaseUnwritable(error) ? new Problem('storage_unavailable') : undefined
}

function databaseProblem(error: unknown): Problem | undefined {
  if (error instanceof OutcomeUnknown)
    return new Problem('outcome_unknown', undefined, { retryAfterSeconds: databasePause })
  if (error instanceof DatabaseAway)
    return new Problem('database_unavailable', undefined, { retryAfterSeconds: databasePause })
  return undefined
}

const documentCodes: Partial<Record<DocumentProblem['code'], ProblemCode>> = {
  unsupported: 'unsupported_document',
  too_large: 'too_large',
  bad_cover: 'bad_cover',
  busy: 'unavailable',
}

function documentProblem(error: unknown): Problem | undefined {
  if (!(error instanceof DocumentProblem)) return undefined
  const wait = error.code === 'busy' ? { retryAfterSeconds: documentsPause } : {}
  return new Problem(documentCodes[error.code] ?? 'bad_document', error.sentence, wait)
}

const byFastifyCode: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('bad_request', 'The body is not valid JSON.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('too_large', 'The body is too large for this call.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem(
      'unsupported_document',
      'This Content-Type is not supported here. Send application/json, or a form if the call takes a file.',
    ),
  FST_ERR_BAD_URL: () => new Problem('bad_request', 'The URL is not valid.'),
}

/** Faults of the request that the server library found; whatever else it throws is ours. */
function requestProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const known = byFastifyCode[textOf(error, 'code')]
  if (known) return known()
  const status: unknown = Reflect.get(error, 'statusCode')
  return typeof status === 'number' && status >= 400 && status < 500 ? new Problem('bad_request') : undefined
}

/** The one place that turns a thrown value into an answer; undefined for an internal error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof ProviderProblem) {
    return new Problem('unavailable', error.message, { retryAfterSeconds: error.retryAfterSeconds })
  }
  return (
    databaseProblem(error) ??
    validationProblem(error) ??
    documentProblem(error) ??
    storageProblem(error) ??
    requestProblem(error)
  )
}

/** Answers with a problem, or with 500 and nothing but the request id, which then finds the error in the log. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = problemOf(error)
  // Its sentence says what to do and not which file: that is in the log.
  if (!known || known.code === 'storage_unavailable')
    request.log.error({ err: error, route: request.routeOptions.url }, 'A call failed.')
  const problem = known ?? new Problem('internal')
  // Also where no hook has run, as for a URL that cannot be read.
  void reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  if (problem.status === 401 && !reply.hasHeader('www-authenticate')) {
    void reply.header('www-authenticate', 'Bearer realm="faxdeck"')
  }
  if (problem.status === 429 || problem.status === 503) {
    void reply.header('retry-after', String(problem.retryAfterSeconds ?? pause))
  }
  const body = JSON.stringify(problemReplyOf(problem, request.id))
  return reply.status(problem.status).type(problemType(request.headers.accept)).send(body)
}
