import { type ProblemReply, problems } from '@faxdeck/contract'
import type { Problem } from './problem.ts'

/** The media type of errors. Source: RFC 9457, section 6.1. */
const problemJson = 'application/problem+json'

/**
 * The body of an error answer.
 * @param requestId of the request that it answers
 */
export function problemReplyOf({ code, message, status, fields }: Problem, requestId: string): ProblemReply {
  return {
    type: `urn:faxdeck:problem:${code}`,
    title: problems[code].title,
    status,
    detail: message,
    instance: `urn:faxdeck:request:${requestId}`,
    code,
    request_id: requestId,
    ...(fields ? { fields: [...fields] } : {}),
  }
}

/** Whether a list of media ranges takes a type, weights of nought left out (RFC 9110, section 12.5.1). */
function takes(accept: string, type: string): boolean {
  const [family] = type.split('/')
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (parameters.some((each) => /^q=0(\.0*)?$/.test(each))) return false
    return name === type || name === `${family}/*` || name === '*/*'
  })
}

/**
 * The Content-Type of an error: `application/problem+json`, and `application/json` for a caller whose Accept takes that and
 * not the other. The body is the same.
 */
export function problemType(accept: string | undefined): string {
  const onlyJson = accept !== undefined && !takes(accept, problemJson) && takes(accept, 'application/json')
  return `${onlyJson ? 'application/json' : problemJson}; charset=utf-8`
}
