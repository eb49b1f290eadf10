import { createDocuments, type Documents } from '@faxdeck/documents'

const rooms = new Map<string, Documents>()

/**
 * A room for documents whose threads serve the tests of a process one after the other, as those of a gateway serve its
 * faxes: a thread that has drawn a page took half a second of processor time to begin. Idle ones end by themselves.
 */
export const shareDocuments: typeof createDocuments = (options) => {
  const name = JSON.stringify(options ?? {})
  const room = rooms.get(name) ?? createDocuments(options)
  rooms.set(name, room)
  return { ...room, close: async () => undefined }
}
