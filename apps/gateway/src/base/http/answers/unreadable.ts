import type { Socket } from 'node:net'
import { Problem } from './problem.ts'
import { problemReplyOf, problemType } from './problem-reply.ts'

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
