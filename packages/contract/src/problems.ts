import type { Problem } from './problem.ts'
import { signInProblems } from './sign-in-problems.ts'

/** Every error the gateway answers with, by code. A thrown code may carry a more exact sentence. */
export const problems = {
  bad_request: {
    status: 400,
    title: 'Bad request',
    sentence: 'The request could not be understood.',
  },
  bad_number: {
    status: 400,
    title: 'Invalid phone number',
    sentence: 'Please enter a valid phone number',
  },
  file_missing: {
    status: 400,
    title: 'No document attached',
    sentence: 'Attach the document in a form field named "file".',
  },
  unauthorized: {
    status: 401,
    title: 'No valid API key',
    sentence: 'A valid API key is needed in the X-API-Key header.',
  },
  forbidden: { status: 403, title: 'Not allowed', sentence: 'This key is not allowed to do that.' },
  admin_local_only: {
    status: 403,
    title: 'Address not allowed',
    sentence:
      'The console and its calls answer only to this machine. Set ADMIN_ALLOWED_CIDRS to allow other addresses.',
  },
  host_refused: {
    status: 403,
    title: 'Host name not allowed',
    sentence: 'This gateway does not answer to this host name. Add it to ALLOWED_HOSTS or set PUBLIC_API_URL.',
  },
  token_refused: {
    status: 403,
    title: 'Invalid link',
    sentence: 'The link is wrong or has expired.',
  },
  ...signInProblems,
  restart_refused: {
    status: 403,
    title: 'Restarting not allowed',
    sentence:
      'Restarting is not allowed here. Set ADMIN_ALLOW_RESTART=true under a supervisor that starts Faxdeck again.',
  },
  actions_disabled: {
    status: 403,
    title: 'Actions turned off',
    sentence: 'Actions are off. Turn on Actions under Settings, Feature Flags, or set ENABLE_ADMIN_EXEC=true.',
  },
  pairing_refused: {
    status: 403,
    title: 'Invalid pairing code',
    sentence: 'The pairing code is wrong, used or older than five minutes. Ask for a new one.',
  },
  path_refused: {
    status: 403,
    title: 'Path not allowed',
    sentence: 'Settings are saved only inside the data directory.',
  },
  not_found: { status: 404, title: 'Not found', sentence: 'There is nothing at this address.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    sentence: 'This address does not support that method. The Allow header lists those it supports.',
  },
  fax_not_found: { status: 404, title: 'Fax not found', sentence: 'There is no fax with this id.' },
  document_not_found: {
    status: 404,
    title: 'Document removed',
    sentence: 'The document is no longer stored. Its details remain.',
  },
  document_missing: {
    status: 404,
    title: 'Document lost',
    sentence:
      'The document is missing from the storage, although it was not removed. Its details remain. Restore it from a backup, and run Diagnostics.',
  },
  page_not_found: {
    status: 404,
    title: 'Page not found',
    sentence: 'The document has no such page.',
  },
  action_not_found: {
    status: 404,
    title: 'Action not found',
    sentence: 'There is no action with this id.',
  },
  key_not_found: {
    status: 404,
    title: 'API key not found',
    sentence: 'There is no active API key with this id.',
  },
  factor_not_found: {
    status: 404,
    title: 'Factor not found',
    sentence: 'This second factor no longer exists.',
  },
  person_not_found: {
    status: 404,
    title: 'Person not found',
    sentence: 'There is no person with this id.',
  },
  group_not_found: {
    status: 404,
    title: 'Group not found',
    sentence: 'There is no group with this id.',
  },
  hold_not_found: {
    status: 404,
    title: 'Legal hold not found',
    sentence: 'There is no legal hold with this id.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    sentence: 'There is no session with this id. It may have ended already.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    sentence: 'There is no webhook with this id.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    sentence: 'There is no delivery with this id, or it is no longer stored.',
  },
  approval_not_found: {
    status: 404,
    title: 'Approval request not found',
    sentence: 'There is no such request, or it is no longer stored.',
  },
  upload_not_found: {
    status: 404,
    title: 'Upload not found',
    sentence: 'There is no upload with this id for this key, or it is older than an hour. Upload the document again.',
  },
  inbound_disabled: {
    status: 404,
    title: 'Receiving turned off',
    sentence: 'Receiving is off. Turn on inbound under Settings, Inbound Receiving.',
  },
  broadcast_not_found: {
    status: 404,
    title: 'Broadcast not found',
    sentence: 'There is no broadcast with this id.',
  },
  plugin_not_found: {
    status: 404,
    title: 'Plugin not found',
    sentence: 'There is no plugin with this id.',
  },
  feature_disabled: { status: 404, title: 'Feature turned off', sentence: 'This feature is off.' },
  too_slow: {
    status: 408,
    title: 'Request timed out',
    sentence: 'The body did not arrive in time. Send it again.',
    retryable: true,
  },
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    sentence: 'That can’t be done in the current state.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency-Key already used',
    sentence: 'This Idempotency-Key was used for a different fax in the last 24 hours. Use a new key.',
  },
  too_large: { status: 413, title: 'Too large', sentence: 'The file is larger than the limit.' },
  unsupported_document: {
    status: 415,
    title: 'Unsupported kind of file',
    sentence: 'Files of this kind cannot be faxed. Save or print the document as PDF and send that.',
  },
  bad_recipients: {
    status: 422,
    title: 'Invalid recipients',
    sentence: 'Some recipients have no valid fax number.',
  },
  number_unlikely: {
    status: 422,
    title: 'Unlikely phone number',
    sentence: 'This number most likely does not exist. Check it. To dial it anyway, send allow_unlikely_number=true.',
  },
  bad_cover: {
    status: 422,
    title: 'Invalid cover page',
    sentence: 'The cover page cannot be printed as given.',
  },
  bad_document: {
    status: 422,
    title: 'Unusable document',
    sentence: 'The document cannot be faxed.',
  },
  invalid: { status: 422, title: 'Invalid fields', sentence: 'Some fields are not valid.' },
  quote_required: {
    status: 428,
    title: 'Quote required',
    sentence:
      'A fresh quote is needed before sending: ask for one with the same document, number and options (quote_fax), and give its quote_id.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    sentence: 'Too many requests. Try again shortly.',
    retryable: true,
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    sentence: 'The headers of the request are larger than 16 kB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    sentence: 'Something went wrong. Search the gateway log for the request ID.',
    retryable: true,
  },
  provider_not_configured: {
    status: 503,
    title: 'Provider not set up',
    sentence: 'The provider is not set up.',
  },
  provider_unavailable: {
    status: 503,
    title: 'Provider unavailable',
    sentence: 'The provider could not be reached. Try again shortly.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    title: 'Gateway unavailable',
    sentence: 'The gateway is stopping or not ready. Try again shortly.',
    retryable: true,
  },
  database_unavailable: {
    status: 503,
    title: 'Database unavailable',
    sentence: 'The database cannot be reached. Nothing was saved. Try again shortly.',
    retryable: true,
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    sentence:
      'The connection to the database broke while this was being saved, so it may have been saved. A fax with an Idempotency-Key can safely be sent again with the same key; otherwise, check before you try again.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Storage unavailable',
    sentence:
      'Faxdeck cannot write to its disk, so nothing was accepted. Check that the disk is mounted, sound and writable for the user that Faxdeck runs as; the request id finds the reason in the log.',
    retryable: true,
  },
  storage_full: {
    status: 507,
    title: 'Disk full',
    sentence: 'The disk is full. Nothing was accepted; free some space.',
    retryable: true,
  },
} as const satisfies Record<string, Problem>

export type ProblemCode = keyof typeof problems
