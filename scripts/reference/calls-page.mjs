import {
  anyFaxEvent,
  faxStream,
  liveMessage,
  liveStream,
  problems,
  routes,
  scopeFor,
  scopes,
} from '../../packages/contract/src/index.ts'
import { cell } from './markdown.mjs'
import { shapeOf } from './schema-shape.mjs'

const fileReplies = {
  pdf: 'application/pdf',
  png: 'image/png',
  csv: 'text/csv',
  text: 'text/plain',
  zip: 'application/zip',
  document: 'application/pdf, image/tiff or text/plain',
}

/** @returns {string} the reference of all calls, in Markdown */
export function callsPage() {
  return `# Calls

Written by \`npm run reference\` from the rows in \`packages/contract\`. Do not edit. A running gateway serves the same as OpenAPI 3.1 at \`/openapi.json\`.

A key goes into the header \`X-API-Key\` (or \`Authorization: Bearer\`). Its scopes are ${scopes.map((scope) => `\`${scope}\``).join(', ')}; \`keys:manage\` administers everything.
_People confirm_: a signed-in person who has neither signed in nor confirmed within the last ten minutes gets \`confirmation_required\`; programs with a key do not.
An \`id\` is 32 hex characters, an \`instant\` is ISO 8601 in UTC (\`2026-11-21T09:30:00.000Z\`), a \`date\` is \`2026-11-21\`.

${sections().join('\n\n')}

## Errors

Every error answers \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): \`{ type, title, status, detail, instance, code, request_id }\`; 422 adds \`fields\`, a list of \`{ field, message }\`. Decide by \`code\`. \`detail\` is for people and may be more exact than the sentence here. \`type\` is \`urn:faxdeck:problem:\` and the code, \`instance\` is \`urn:faxdeck:request:\` and the request id: both are names, not addresses. Callers whose \`Accept\` takes \`application/json\` and not \`application/problem+json\` get the same body as \`application/json\`. 429 and 503 carry \`Retry-After\`, 405 carries \`Allow\`, and every answer \`X-Request-Id\`, which stands on the lines of the log that the call caused.

| code | status | title | sentence | worth repeating |
|---|---|---|---|---|
${Object.entries(problems).map(problemLine).join('\n')}
`
}

function sections() {
  const streams = [
    ['followChanges', { ...liveStream, event: liveMessage }],
    ['followFaxes', { ...faxStream, event: anyFaxEvent }],
  ]
  const calls = [...Object.entries(routes), ...streams]
  const areas = Map.groupBy(calls, ([, row]) => areaOf(row.path))
  return [...areas].map(([area, calls]) => `## \`${area}\`\n\n${calls.map(callSection).join('\n\n')}`)
}

const areaOf = (path) => /^\/(?:admin\/)?[^/:]+/.exec(path)?.[0] ?? path

function callSection([name, row]) {
  const facts = [
    row.permission ? `scope \`${scopeFor(row.permission)}\`` : 'no key needed',
    row.confirm ? 'people confirm' : '',
    row.rate ? `counted as \`${row.rate}\`` : '',
    row.form ? `multipart form with ${row.fileOptional ? 'at most ' : ''}one \`file\`` : '',
  ].filter(Boolean)
  const parts = [
    ['Path', row.params],
    ['Query', row.query],
    ['Body', row.body],
    ['Form', row.form],
  ].flatMap(([title, schema]) => (schema ? shapeBlock(title, schema, 'input') : []))
  const text = [
    `### ${name}`,
    `\`${row.method} ${row.path}\` · ${facts.join(' · ')}`,
    row.summary,
    ...parts,
    replyBlock(row),
  ]
  return text.filter(Boolean).join('\n\n')
}

function shapeBlock(title, schema, direction) {
  const shape = shapeOf(schema.toJSONSchema({ io: direction }))
  return shape === '{}' ? [] : [`${title}:\n\n\`\`\`ts\n${shape}\n\`\`\``]
}

function replyBlock({ reply, status, event }) {
  if (!reply) return streamBlock(event)
  if (reply === 'none') return `Answers ${status ?? 204} without a body.`
  if (typeof reply === 'string') return `Answers ${status ?? 200} with \`${fileReplies[reply]}\`.`
  return shapeBlock(`Answers ${status ?? 200}`, reply, 'output')[0]
}

function streamBlock(event) {
  const [shape] = shapeBlock('The data of each event', event, 'output')
  return `Answers 200 with \`text/event-stream\`, without an end.\n\n${shape}`
}

function problemLine([code, { status, title, sentence, retryable }]) {
  return `| \`${code}\` | ${status} | ${title} | ${cell(sentence)} | ${retryable ? 'yes' : 'no'} |`
}
