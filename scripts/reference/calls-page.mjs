import {
  faxEvent,
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

const fileReplies = { pdf: 'application/pdf', png: 'image/png', csv: 'text/csv', text: 'text/plain' }

/** @returns {string} the reference of all calls, in Markdown */
export function callsPage() {
  return `# Calls

Written by \`npm run reference\` from the rows in \`packages/contract\`. Do not edit. A running gateway serves the same as OpenAPI 3.1 at \`/openapi.json\`.

A key goes into the header \`X-API-Key\` (or \`Authorization: Bearer\`). Its scopes are ${scopes.map((scope) => `\`${scope}\``).join(', ')}; \`keys:manage\` administers everything.
An \`id\` is 32 hex characters, an \`instant\` is ISO 8601 in UTC (\`2026-11-21T09:30:00.000Z\`), a \`date\` is \`2026-11-21\`.

${sections().join('\n\n')}

## Errors

Every error answers \`{ "detail": sentence, "code": code, "request_id": id }\`; 422 adds \`fields\`, a list of \`{ field, message }\`. \`detail\` may be more exact than the sentence here. 429 and 503 carry \`Retry-After\`.

| code | status | sentence | worth repeating |
|---|---|---|---|
${Object.entries(problems).map(problemLine).join('\n')}
`
}

function sections() {
  const streams = [
    ['followChanges', { ...liveStream, event: liveMessage }],
    ['followFaxes', { ...faxStream, event: faxEvent }],
  ]
  const calls = [...Object.entries(routes), ...streams]
  const areas = Map.groupBy(calls, ([, row]) => areaOf(row.path))
  return [...areas].map(([area, calls]) => `## \`${area}\`\n\n${calls.map(callSection).join('\n\n')}`)
}

const areaOf = (path) => /^\/(?:admin\/)?[^/:]+/.exec(path)?.[0] ?? path

function callSection([name, row]) {
  const facts = [
    row.permission ? `scope \`${scopeFor(row.permission)}\`` : 'no key needed',
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

function problemLine([code, { status, sentence, retryable }]) {
  return `| \`${code}\` | ${status} | ${cell(sentence)} | ${retryable ? 'yes' : 'no'} |`
}
