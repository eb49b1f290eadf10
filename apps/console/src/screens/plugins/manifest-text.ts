import type { ImportRequest } from './queries.ts'

type Manifest = Record<string, unknown>

const isObject = (value: unknown): value is Manifest =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A manifest that was typed or loaded; or the parser's words when it is not JSON. */
export function readManifestText(text: string): { manifest: Manifest } | { fault: string } {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read)
      ? { manifest: read }
      : { fault: 'A manifest must be one JSON object: { "id": …, "actions": … }.' }
  } catch (error) {
    return { fault: `This is not JSON. ${error instanceof Error ? error.message : ''}`.trim() }
  }
}

/** What is sent to be imported: a list, the items of an object, or else the text as markdown. */
export function importRequestOf(text: string): ImportRequest {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return { markdown: text }
  }
  if (Array.isArray(read)) return { items: read.filter(isObject) }
  if (isObject(read) && Array.isArray(read.items)) return { items: read.items.filter(isObject) }
  return { markdown: text }
}

/** A manifest to begin with. */
export const sampleManifest = `{
  "id": "acme-fax",
  "name": "Acme Fax",
  "auth": { "scheme": "bearer" },
  "allowed_domains": ["api.acme.example"],
  "actions": {
    "send_fax": {
      "method": "POST",
      "url": "https://api.acme.example/v1/faxes",
      "body": { "kind": "multipart", "template": "to={{to}}&file={{file}}" },
      "response": { "job_id": "id", "status": "status", "error": "message" }
    },
    "get_status": {
      "method": "GET",
      "url": "https://api.acme.example/v1/faxes/{{job_id}}",
      "response": {
        "status": "status",
        "pages": "pages_sent",
        "status_map": { "sent": "SUCCESS", "failed": "FAILED", "busy": "busy" }
      }
    }
  }
}
`
