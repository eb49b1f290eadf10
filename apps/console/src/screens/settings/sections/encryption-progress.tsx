import { useQuery } from '@tanstack/react-query'
import { Note } from '../../../ui/layout/note.tsx'
import { grouped } from '../../../ui/words/grouped.ts'
import { encryptionQuery } from '../queries.ts'

/** How far the encryption of what was stored before is, while it goes on. */
export function EncryptionProgress() {
  const { data } = useQuery(encryptionQuery)
  if (data?.state !== 'encrypting' && data?.state !== 'erasing') return null
  const { state, documents_done: done, documents_total: of, problem } = data
  const words =
    state === 'encrypting'
      ? `Stored documents are being encrypted: ${grouped(done)} of ${grouped(of)}.`
      : 'Stored documents are encrypted. Old words of their pages are being erased from the database.'
  return <Note tone={problem === null ? 'info' : 'warn'}>{problem === null ? words : `${words} ${problem}`}</Note>
}
