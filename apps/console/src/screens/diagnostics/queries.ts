import { queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { testDocument, type TestKind, testNumber } from './test-documents.ts'

/** What the last run found; it runs only when a person asks, and is kept while the console is open. */
export const diagnosticsQuery = callQuery(['diagnostics'], client.runDiagnostics, {
  enabled: false,
  staleTime: Infinity,
  gcTime: Infinity,
})

export const restart = () => client.restart({})

/** Sends a built-in document to the test number. */
export const sendTest = (kind: TestKind) => client.submitFax({ form: { to: testNumber, file: testDocument(kind) } })

const isMap = (read: unknown): read is Record<string, string> =>
  typeof read === 'object' && read !== null && Object.values(read).every((each) => typeof each === 'string')

/** Addresses of the documentation by topic key; the file has them as seen from itself. The policy of this page forbids asking other origins. */
export const anchorsQuery = (docsBase: string) => {
  const file = new URL(`${docsBase.replace(/\/$/, '')}/anchors/diagnostics.json`, location.href)
  return queryOptions({
    queryKey: ['anchors', file.href],
    queryFn: async ({ signal }) => {
      const response = await fetch(file.href, { cache: 'no-cache', signal })
      const read: unknown = response.ok ? await response.json() : {}
      const found = isMap(read) ? Object.entries(read) : []
      return Object.fromEntries(found.map(([topic, address]) => [topic, new URL(address, file).href]))
    },
    enabled: file.origin === location.origin,
    staleTime: Infinity,
  })
}
