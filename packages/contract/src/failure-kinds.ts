/**
 * Why a fax, or one attempt at it, did not arrive. The kind, never the text, decides what happens next.
 * `uncertain`: whether the provider took the fax is unknown. `partial`: some pages went, or may have.
 * `line_error`: the call failed before any page. `bad_document`: the provider cannot read the document.
 */
export const failureKinds = [
  'busy',
  'no_answer',
  'line_error',
  'unreachable',
  'rate_limited',
  'rejected',
  'bad_number',
  'bad_credentials',
  'bad_document',
  'partial',
  'uncertain',
  'cancelled',
] as const
export type FailureKind = (typeof failureKinds)[number]
