import { useEffect, useEffectEvent } from 'react'
import { client } from '../../../api/client.ts'
import { randomKey } from '../../../api/random-key.ts'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { ErrorNotice, Note } from '../../../ui/layout/states.tsx'
import { changeDocument, type ChosenFile, type Draft } from '../draft.ts'

/** The document of an earlier fax as a file of its name; a PDF, whatever it was sent as. */
async function documentOfJob(id: string): Promise<ChosenFile> {
  const params = { id }
  const [job, pdf] = await Promise.all([client.getJob({ params }), client.getJobOriginal({ params })])
  const name = `${(job.file_name ?? `fax ${id.slice(0, 8)}`).replace(/\.\w+$/, '')}.pdf`
  return { id: randomKey(), file: new File([pdf], name, { type: 'application/pdf' }), kind: 'pdf' }
}

/**
 * Puts the document of the job that is open here, which another screen asked to send to another number, into the
 * draft; nothing is open afterwards.
 */
export function EarlierDocument({ change }: { change: (next: (draft: Draft) => Draft) => void }) {
  const { visit, go } = useSession()
  const fetching = useAction(documentOfJob, {
    onDone: (chosen) => {
      change((draft) => changeDocument(draft, { source: 'file', chosen }))
      go('send', { replace: true })
    },
  })
  const open = visit.place === 'send' ? visit.open : undefined
  const begin = useEffectEvent((id: string) => fetching.run(id))
  useEffect(() => {
    if (open) begin(open)
  }, [open])
  if (fetching.busy) return <Note>Fetching the document of the earlier fax…</Note>
  return fetching.error && <ErrorNotice error={fetching.error} onRetry={() => open && fetching.run(open)} />
}
