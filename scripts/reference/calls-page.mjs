import { problems, scopes } from '../../packages/contract/src/index.ts'
import { openApiDocument } from '../../packages/contract/src/openapi.ts'
import { callPages, scopeOf } from './call-pages.mjs'
import { cell } from './markdown.mjs'

/** @returns {string} the list of all calls, in Markdown */
export function callsPage() {
  const { tags } = openApiDocument('')
  const areas = Map.groupBy(callPages(), ({ area }) => area)
  const sections = tags.map(({ name, description }) => {
    return `## ${name}\n\n${description}\n\n| call | scope | what it does |\n|---|---|---|\n${areas.get(name).map(lineOf).join('\n')}`
  })
  return `# API calls

Written by \`npm run reference\` from the rows in \`packages/contract\`. Do not edit. A running gateway serves a page for each call, and the same as OpenAPI 3.1 at \`/openapi.json\`.

A key goes into the header \`X-API-Key\` (or \`Authorization: Bearer\`). Its scopes are ${scopes.map((scope) => `\`${scope}\``).join(', ')}; \`keys:manage\` administers everything.
An \`id\` is 32 hex characters, an \`instant\` is ISO 8601 in UTC (\`2026-11-21T09:30:00.000Z\`), a \`date\` is \`2026-11-21\`. What a call refuses is listed under [errors](errors.md).

${sections.join('\n\n')}
`
}

const lineOf = ({ name, summary, row }) => `| \`${name}\` | ${scopeOf(row)} | ${cell(firstSentence(summary))} |`
const firstSentence = (text) => text.split(/(?<=\.) (?=[A-Z`])/)[0]

/** @returns {string} the reference of all errors, in Markdown: each code can be linked to */
export function errorsPage() {
  const statuses = Map.groupBy(Object.entries(problems), ([, { status }]) => status)
  const sections = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, all]) => `## ${status}\n\n${all.map(errorSection).join('\n\n')}`)
  return `# Errors

Written by \`npm run reference\` from \`packages/contract\`. Do not edit.

Every error answers \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): \`{ type, title, status, detail, instance, code, request_id }\`; 422 adds \`fields\`, a list of \`{ field, message }\`. Decide by \`code\`. \`detail\` is for people and may be more exact than the sentence here. \`type\` is \`urn:faxdeck:problem:\` and the code, \`instance\` is \`urn:faxdeck:request:\` and the request id: both are names, not addresses. Callers whose \`Accept\` takes \`application/json\` and not \`application/problem+json\` get the same body as \`application/json\`. 429 and 503 carry \`Retry-After\`, 405 carries \`Allow\`, and every answer \`X-Request-Id\`, which stands on the lines of the log that the call caused.

## Any call

Whatever a call does, it can be refused because of its address or host (403), its method (405), its size and pace (408, 413, 431), or because the gateway, its database or its disk is not available (500, 503, 507).

${sections.join('\n\n')}
`
}

function errorSection([code, { title, sentence, retryable }]) {
  const again = retryable ? ' The same call can be made again.' : ''
  return `### ${code}\n\n**${title}.** ${sentence.replaceAll('<', '&lt;')}${again}`
}
