import type { FailureKind, OutgoingFax } from '../provider.ts'

interface Fault {
  /** The kinds of ProviderProblem that report it truly. */
  kinds: readonly FailureKind[]
  retryAfterSeconds?: number
  meet: () => Promise<Response>
}

/** A refusal with a message in each of the places where providers put theirs. */
const refusal = { success: false, message: 'No.', problem: { text: 'No.' } }
const answer = (status: number, headers: Record<string, string> = {}) => ({
  meet: () => Promise.resolve(Response.json(refusal, { status, headers })),
})
const page = (status: number, headers: Record<string, string>) => ({
  meet: () => Promise.resolve(new Response('<html>Backend fetch failed', { status, headers })),
})

/** What may befall a send. Only what proves that nothing was taken may be reported as anything but `uncertain`. */
export const sendFaults = {
  'a time-out': {
    kinds: ['uncertain'],
    meet: () => Promise.reject(new DOMException('The operation timed out.', 'TimeoutError')),
  },
  'a refused connection': {
    kinds: ['unreachable'],
    meet: () => Promise.reject(new TypeError('fetch failed', { cause: codedError('ECONNREFUSED') })),
  },
  'bad credentials': { kinds: ['bad_credentials'], ...answer(401) },
  'a refusal': { kinds: ['rejected', 'bad_number', 'bad_document'], ...answer(422) },
  'too many requests': { kinds: ['rate_limited'], retryAfterSeconds: 120, ...answer(429, { 'retry-after': '120' }) },
  'a refusal for now': { kinds: ['unreachable'], retryAfterSeconds: 120, ...answer(503, { 'retry-after': '120' }) },
  'a page of a proxy that may have passed it on': { kinds: ['uncertain'], ...page(503, { 'retry-after': '5' }) },
  'a fault of the server': { kinds: ['uncertain'], ...answer(500) },
} satisfies Record<string, Fault>
export type SendFault = keyof typeof sendFaults

/** A Host.fetch that meets the fault at every request. */
export function faultyFetch(fault: SendFault): typeof globalThis.fetch {
  return () => sendFaults[fault].meet()
}

/** A fax to try a line with. */
export const sampleFax: OutgoingFax = {
  jobId: '0'.repeat(32),
  attemptId: '1'.repeat(32),
  to: '+15551234567',
  pages: 1,
  pdf: () => Promise.resolve(Buffer.from('%PDF-1.4\n%%EOF\n')),
  tiffPath: null,
  documentUrl: () => Promise.resolve('https://fax.example.org/fax/document.pdf'),
  callbackUrl: null,
}

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
