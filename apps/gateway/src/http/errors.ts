import type { ProblemReply } from '@faxdeck/contract'
import { DocumentProblem } from '@faxdeck/documents'
import { ProviderProblem } from '@faxdeck/provider-kit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseFull } from '../db/transact.ts'
import { StorageProblem } from '../storage/storage.ts'
import { invalid } from './invalid.ts'
import { Problem } from './problem.ts'

/** Seconds after which a caller may try again when nobody knows better. */
const pause = 10

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

function storageProblem(error: unknown): Problem | undefined {
  const full = error instanceof Error && ['ENOSPC', 'EDQUOT'].includes(textOf(error, 'code'))
  if (full || isDatabaseFull(error)) return new Problem('storage_full')
  if (!(error instanceof StorageProblem)) return undefined
  if (error.code === 'full') return new Problem('storage_full')
  if (error.code === 'missing') return new Problem('document_not_found')
  return error.code === 'unreachable' ? new Problem('unavailable', error.message) : undefined
}

function documentProblem(error: unknown): Problem | undefined {
  if (!(error instanceof DocumentProblem)) return undefined
  const codes = { unsupported: 'unsupported_document', too_large: 'too_large' } as const
  return new Problem(error.code in codes ? codes[error.code as keyof typeof codes] : 'bad_document', error.sentence)
}

const byFastifyCode: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('bad_request', 'The body is not valid JSON.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('too_large', 'The body is larger than this call takes.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem(
      'unsupported_document',
      'This Content-Type is not taken here. Send application/json, or a form where the call takes a file.',
    ),
  FST_ERR_BAD_URL: () => new Problem('bad_request', 'The address cannot be read.'),
}

/** Faults of the request that the server library found; whatever else it throws is ours. */
function requestProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const known = byFastifyCode[textOf(error, 'code')]
  if (known) return known()
  const status: unknown = Reflect.get(error, 'statusCode')
  return typeof status === 'number' && status >= 400 && status < 500 ? new Problem('bad_request') : undefined
}

/** The one place where a thrown value becomes what the caller is told; undefined when it is our own fault. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof ProviderProblem) {
    return new Problem('unavailable', error.message, { retryAfterSeconds: error.retryAfterSeconds })
  }
  return validationProblem(error) ?? documentProblem(error) ?? storageProblem(error) ?? requestProblem(error)
}

/** Answers with a problem, or with 500 and nothing but the request id, which then finds the error in the log. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = problemOf(error)
  if (!known)
    request.log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, 'A call failed.')
  const problem = known ?? new Problem('internal')
  const body: ProblemReply = { detail: problem.message, code: problem.code, request_id: request.id }
  if (problem.fields) body.fields = [...problem.fields]
  if (problem.status === 401 && !reply.hasHeader('www-authenticate')) {
    void reply.header('www-authenticate', 'Bearer realm="faxdeck"')
  }
  if (problem.status === 429 || problem.status === 503) {
    void reply.header('retry-after', String(problem.retryAfterSeconds ?? pause))
  }
  return reply.status(problem.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
