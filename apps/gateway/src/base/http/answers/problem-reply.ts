import { type ProblemReply, problems } from '@faxdeck/contract'
import { Problem } from './problem.ts'
import type { Socket } from 'node:net'

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

const byCode: Readonly<Record<string, () => Problem>> = {
  HPE_HEADER_OVERFLOW: () => new Problem('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Problem('too_slow', 'The request did not arrive in time. Send it again.'),
}

/** Answers what could not be read as a request: nobody can be asked which call was meant. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const problem = byCode[error.code ?? '']?.() ?? new Problem('bad_request', 'The request is not HTTP.')
  const body = JSON.stringify(problemReplyOf(problem, requestId))
  const head = [
    // The words behind the number are optional (RFC 9112, section 4): Node's own are behind an import that loads its
    // whole fetch, a tenth of the time to start.
    `HTTP/1.1 ${problem.status} `,
    `Content-Type: ${problemType(undefined)}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
