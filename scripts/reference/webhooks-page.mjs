import { eventSummaries, examplePayload, payloadVersion, webhookPayloads } from '../../packages/contract/src/index.ts'
import { messageSchema } from '../../packages/contract/src/openapi.ts'

/** @returns {string} the reference of what webhooks are sent, in Markdown */
export function webhooksPage() {
  return `# Webhook payloads

Written by \`npm run reference\` from \`packages/contract\`. Do not edit. A running gateway serves the same at \`GET /webhook-events\`, and in the section \`webhooks\` of \`/openapi.json\`.

The \`version\` of all payloads is ${payloadVersion}. Within a version, fields may be added, but none is removed or changes its meaning: ignore what you do not know. Replayed payloads from before versions were introduced have no \`version\` and are otherwise the same.

${Object.keys(webhookPayloads).map(eventSection).join('\n\n')}
`
}

function eventSection(event) {
  return `## \`${event}\`

${eventSummaries[event]}

\`\`\`json
${JSON.stringify(examplePayload(event), null, 2)}
\`\`\`

JSON Schema:

\`\`\`json
${JSON.stringify(messageSchema(event), null, 2)}
\`\`\``
}
