/** What the calls are about, by the beginning of their path. */
const areas: Readonly<Record<string, string>> = {
  fax: 'Send faxes and broadcasts, follow them, stop them, and ask a person to approve one.',
  uploads: 'Upload a document once and send it later.',
  inbound: 'Read received faxes.',
  received: 'Follow, read and file received faxes with a program.',
  webhooks: 'Notify your own program when something happens to a fax.',
  'webhook-events': 'What webhook deliveries contain.',
  'webhook-deliveries': 'Replay webhook deliveries.',
  health: 'Whether the gateway answers.',
  'fax-jobs': 'All faxes that were sent, with their attempts and documents.',
  broadcasts: 'One document to many recipients.',
  'bulk-actions': 'Act on many faxes at once.',
  approvals: 'Faxes that assistants asked to send, for a person to decide.',
  previews: 'See a document as it will be faxed.',
  recipients: 'What is known about a fax number.',
  search: 'Find faxes by words on their pages, numbers and names.',
  calls: 'How calls on telephone lines went.',
  'api-keys': 'Create, rotate and revoke keys.',
  people: 'Invite and manage people.',
  groups: 'Which numbers a group owns, and who is in it.',
  faxes: 'Open one fax outside your groups with a reason, and see who opened a fax.',
  holds: 'Legal holds: what must not be deleted, and why.',
  retention: 'How long the documents of each group are kept.',
  deletions: 'What was deleted, when and by which rule.',
  records: 'Everything about one number or person, and reports of who did what.',
  invitations: 'Accept an invitation.',
  'sign-in': 'Sign in with an email address.',
  account: 'Your own account: who you are, your sessions and your password.',
  settings: 'Read and change settings.',
  config: 'How this installation is set up.',
  providers: 'The available providers and what each can do.',
  plugins: 'Install and configure providers.',
  'plugin-registry': 'Providers that can be installed.',
  'health-status': 'The figures of the dashboard.',
  activity: 'Faxes by hour and day.',
  events: 'Changes as they happen.',
  diagnostics: 'Check the installation.',
  'line-test': 'Make a test call.',
  'data-folder': 'Answer whether the data folder was moved or copied.',
  encryption: 'How far the encryption of stored documents is.',
  'db-status': 'The state of the database.',
  logs: 'The audit trail and the log file.',
  reports: 'Volume, success, time and cost by period, and what providers charge.',
  actions: 'Run the maintenance actions of this installation.',
  tunnel: 'Reach the gateway from outside.',
  mobile: 'Pair a phone.',
  restart: 'Restart the gateway.',
}

/** The tag of a call. */
export const tagOf = (path: string) => /^\/(?:admin\/)?([^/:]+)/.exec(path)?.[1] ?? 'gateway'

/** The tags that are used, described. */
export const tagsOf = (used: ReadonlySet<string>) =>
  Object.entries(areas)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))

/** The introduction of the document, in Markdown. */
export const introduction = `Sends and receives faxes.

## Keys

Almost every call needs an API key with the scope named in \`x-scope\`, in the header \`X-API-Key\` or as a bearer token.

## Errors

An error is \`application/problem+json\` (RFC 9457). Decide by \`code\`, show \`detail\` to people, and look up \`request_id\` in the gateway's log. Callers whose \`Accept\` takes \`application/json\` and not \`application/problem+json\` get the same body as \`application/json\`.

## Versioning

The version of this document is that of the gateway and follows semantic versioning. Within a major version:

- calls, optional parameters, fields of answers, events, error codes and values of open lists are added; ignore what you do not know;
- no call, parameter, field or event is removed, renamed or given another meaning, and none that was optional becomes required.

Payloads of webhooks have a \`version\` of their own, to which the same rules apply.

## Deprecation

A call or field that will be removed is marked \`deprecated\` here and named in the change log with its replacement. Answers of a deprecated call carry the headers \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594). It keeps working for at least twelve months, and is removed only by a new major version. None is deprecated at present.
`
