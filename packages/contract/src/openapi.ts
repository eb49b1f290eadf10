import { operationTags, pathsOf } from './openapi/operations.ts'
import { problemResponses } from './openapi/problem-answers.ts'
import { type JsonObject, knownOutputs, named, plainSchema, withReferences } from './openapi/schemas.ts'
import { introduction, tagsOf } from './openapi/texts.ts'
import { messageSchemas, webhookSection } from './openapi/webhook-section.ts'

export { messageSchema } from './openapi/webhook-section.ts'

/**
 * The API as an OpenAPI 3.1 document, made of the route rows, the streams and the events of webhooks alone.
 * Source: OpenAPI Specification 3.1.1.
 */
export function openApiDocument(version: string): JsonObject {
  const known = knownOutputs()
  const schemas = Object.entries(named).map(([name, schema]) => {
    return [name, withReferences(plainSchema(schema, 'output'), known, name)]
  })
  const paths = pathsOf(known)
  const document: JsonObject = {
    openapi: '3.1.1',
    info: {
      title: 'Faxdeck',
      version,
      description: introduction,
      contact: { name: 'The administrator of this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: tagsOf(operationTags(paths)),
    paths,
    webhooks: webhookSection(),
    components: {
      schemas: { ...(Object.fromEntries(schemas) as JsonObject), ...messageSchemas() },
      responses: problemResponses(),
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
  return JSON.parse(JSON.stringify(document)) as JsonObject
}
