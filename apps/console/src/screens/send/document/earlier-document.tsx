import { useEffect, useEffectEvent } from 'react'
import { client } from '../../../api/client.ts'
import { randomKey } from '../../../api/random-key.ts'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { ErrorNotice, Note } from '../../../ui/layout/states.tsx'
import type { CoverDraft } from '../cover-draft.ts'
import { changeDocument, type ChosenFile, type Draft } from '../draft.ts'

interface Earlier {
  chosen: ChosenFile
  /** Without whom it was for; undefined when it had none. */
  cover: CoverDraft | undefined
}

/** The document of an earlier fax as a file of its name, without its cover page; a PDF, whatever it was sent as. */
async function documentOfJob(id: string): Promise<Earlier> {
  const params = { id }
  const query = { cover: 'false' } as const
  const [job, pdf] = await Promise.all([client.getJob({ params }), client.getJobOriginal({ params, query })])
  const name = `${(job.file_name ?? `fax ${id.slice(0, 8)}`).replace(/\.\w+$/, '')}.pdf`
  const chosen = { id: randomKey(), file: new File([pdf], name, { type: 'application/pdf' }), kind: 'pdf' } as const
  const { from, subject, note } = job.cover_text ?? {}
  const words = { from: from ?? '', subject: subject ?? '', note: note ?? '' }
  return { chosen, cover: job.cover ? { template: job.cover, to: '', ...words } : undefined }
}

interface Props {
  draft: Draft
  change: (next: (draft: Draft) => Draft) => void
}

/**
 * Puts the document of the job that is open here, which another screen asked to send to another number, into the
 * draft, with a cover page that names nobody yet; nothing is open afterwards.
 */
export function EarlierDocument({ draft, change }: Props) {
  const { visit, go } = useSession()
  const fetching = useAction(documentOfJob, {
    onDone: ({ chosen, cover }) => {
      change((draft) => changeDocument(draft, { source: 'file', chosen, ...(cover && { cover }) }))
      go('send', { replace: true })
    },
  })
  const open = visit.place === 'send' ? visit.open : undefined
  const begin = useEffectEvent((id: string) => fetching.run(id))
  useEffect(() => {
    if (open) begin(open)
  }, [open])
  if (fetching.busy) return <Note>Fetching the document of the earlier fax…</Note>
  if (fetching.error) return <ErrorNotice error={fetching.error} onRetry={() => open && fetching.run(open)} />
  const isNamed = draft.cover.template === 'none' || draft.cover.to.trim() !== ''
  if (!fetching.reply?.cover || isNamed || draft.chosen !== fetching.reply.chosen) return null
  return <Note>The cover page is made anew. Enter the new number above, and whom the fax is for under Cover page.</Note>
}
