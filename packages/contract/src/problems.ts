import { problemsOf } from './problem.ts'
import { signInProblems } from './sign-in-problems.ts'

/** Every error the gateway answers with, by code. A thrown code may carry a more exact sentence. */
export const problems = {
  ...problemsOf(400, {
    bad_request: ['Bad request', 'The request could not be understood.'],
    bad_number: ['Invalid phone number', 'Please enter a valid phone number'],
    file_missing: ['No document attached', 'Attach the document in a form field named "file".'],
  }),
  ...problemsOf(401, {
    unauthorized: ['No valid API key', 'A valid API key is needed in the X-API-Key header.'],
  }),
  ...problemsOf(403, {
    forbidden: ['Not allowed', 'This key is not allowed to do that.'],
    admin_local_only: [
      'Address not allowed',
      'The console and its calls answer only to this machine. Set ADMIN_ALLOWED_CIDRS to allow other addresses.',
    ],
    host_refused: [
      'Host name not allowed',
      'This gateway does not answer to this host name. Add it to ALLOWED_HOSTS or set PUBLIC_API_URL.',
    ],
    token_refused: ['Invalid link', 'The link is wrong or has expired.'],
  }),
  ...signInProblems,
  ...problemsOf(403, {
    restart_refused: [
      'Restarting not allowed',
      'Restarting is not allowed here. Set ADMIN_ALLOW_RESTART=true under a supervisor that starts Faxdeck again.',
    ],
    actions_disabled: [
      'Actions turned off',
      'Actions are off. Turn on Actions under Settings, Feature Flags, or set ENABLE_ADMIN_EXEC=true.',
    ],
    pairing_refused: [
      'Invalid pairing code',
      'The pairing code is wrong, used or older than five minutes. Ask for a new one.',
    ],
    path_refused: ['Path not allowed', 'Settings are saved only inside the data directory.'],
  }),
  ...problemsOf(404, {
    not_found: ['Not found', 'There is nothing at this address.'],
  }),
  ...problemsOf(405, {
    method_not_allowed: [
      'Method not allowed',
      'This address does not support that method. The Allow header lists those it supports.',
    ],
  }),
  ...problemsOf(404, {
    fax_not_found: ['Fax not found', 'There is no fax with this id.'],
    document_not_found: ['Document removed', 'The document is no longer stored. Its details remain.'],
    document_missing: [
      'Document lost',
      'The document is missing from the storage, although it was not removed. Its details remain. Restore it from a backup, and run Diagnostics.',
    ],
    page_not_found: ['Page not found', 'The document has no such page.'],
    action_not_found: ['Action not found', 'There is no action with this id.'],
    key_not_found: ['API key not found', 'There is no active API key with this id.'],
    factor_not_found: ['Factor not found', 'This second factor no longer exists.'],
    person_not_found: ['Person not found', 'There is no person with this id.'],
    group_not_found: ['Group not found', 'There is no group with this id.'],
    hold_not_found: ['Legal hold not found', 'There is no legal hold with this id.'],
    session_not_found: ['Session not found', 'There is no session with this id. It may have ended already.'],
    webhook_not_found: ['Webhook not found', 'There is no webhook with this id.'],
    delivery_not_found: ['Delivery not found', 'There is no delivery with this id, or it is no longer stored.'],
    approval_not_found: ['Approval request not found', 'There is no such request, or it is no longer stored.'],
    upload_not_found: [
      'Upload not found',
      'There is no upload with this id for this key, or it is older than an hour. Upload the document again.',
    ],
    inbound_disabled: ['Receiving turned off', 'Receiving is off. Turn on inbound under Settings, Inbound Receiving.'],
    broadcast_not_found: ['Broadcast not found', 'There is no broadcast with this id.'],
    plugin_not_found: ['Plugin not found', 'There is no plugin with this id.'],
    feature_disabled: ['Feature turned off', 'This feature is off.'],
  }),
  ...problemsOf(408, {
    too_slow: ['Request timed out', 'The body did not arrive in time. Send it again.', 'retryable'],
  }),
  ...problemsOf(409, {
    conflict: ['Conflict with the current state', 'That can’t be done in the current state.'],
    idempotency_conflict: [
      'Idempotency-Key already used',
      'This Idempotency-Key was used for a different fax in the last 24 hours. Use a new key.',
    ],
    already_delivered: [
      'Already delivered',
      'This document was already delivered to this number. To send another copy, send force=true.',
    ],
    already_under_way: [
      'Already being sent again',
      'This fax was already sent again, and that copy may still arrive. To send another copy, send force=true.',
    ],
    number_failed: [
      'No fax at this number',
      'The number is not in service, or a person answered. Send the document to another number. To dial this one again, send force=true.',
    ],
  }),
  ...problemsOf(413, {
    too_large: ['Too large', 'The file is larger than the limit.'],
  }),
  ...problemsOf(415, {
    unsupported_document: [
      'Unsupported kind of file',
      'Files of this kind cannot be faxed. Save or print the document as PDF and send that.',
    ],
  }),
  ...problemsOf(422, {
    bad_recipients: ['Invalid recipients', 'Some recipients have no valid fax number.'],
    number_unlikely: [
      'Unlikely phone number',
      'This number most likely does not exist. Check it. To dial it anyway, send allow_unlikely_number=true.',
    ],
    bad_cover: ['Invalid cover page', 'The cover page cannot be printed as given.'],
    bad_document: ['Unusable document', 'The document cannot be faxed.'],
    invalid: ['Invalid fields', 'Some fields are not valid.'],
  }),
  ...problemsOf(428, {
    quote_required: [
      'Quote required',
      'A fresh quote is needed before sending: ask for one with the same document, number and options (quote_fax), and give its quote_id.',
    ],
  }),
  ...problemsOf(429, {
    rate_limited: ['Rate limit exceeded', 'Too many requests. Try again shortly.', 'retryable'],
  }),
  ...problemsOf(431, {
    headers_too_large: ['Headers too large', 'The headers of the request are larger than 16 kB.'],
  }),
  ...problemsOf(500, {
    internal: ['Internal error', 'Something went wrong. Search the gateway log for the request ID.', 'retryable'],
  }),
  ...problemsOf(503, {
    provider_not_configured: ['Provider not set up', 'The provider is not set up.'],
    provider_unavailable: [
      'Provider unavailable',
      'The provider could not be reached. Try again shortly.',
      'retryable',
    ],
    unavailable: ['Gateway unavailable', 'The gateway is stopping or not ready. Try again shortly.', 'retryable'],
    database_unavailable: [
      'Database unavailable',
      'The database cannot be reached. Nothing was saved. Try again shortly.',
      'retryable',
    ],
    outcome_unknown: [
      'Outcome unknown',
      'The connection to the database broke while this was being saved, so it may have been saved. A fax with an Idempotency-Key can safely be sent again with the same key; otherwise, check before you try again.',
    ],
    storage_unavailable: [
      'Storage unavailable',
      'Faxdeck cannot write to its disk, so nothing was accepted. Check that the disk is mounted, sound and writable for the user that Faxdeck runs as; the request id finds the reason in the log.',
      'retryable',
    ],
  }),
  ...problemsOf(507, {
    storage_full: ['Disk full', 'The disk is full. Nothing was accepted; free some space.', 'retryable'],
  }),
}

export type ProblemCode = keyof typeof problems
