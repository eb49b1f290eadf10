import { useMemo } from 'react'
import { useSessionState } from '../../api/use-session-state.ts'
import { useSession } from '../../session/session.ts'
import { useKept } from '../../ui/use-kept.ts'
import { nextCover, type CoverDraft, type StoredCover } from './cover-draft.ts'
import { blankDraft, changeDocument, type Draft } from './draft.ts'
import { useKeptDraft } from './kept-draft.ts'

const draftKey = ['send', 'draft']

/**
 * The fax being composed. It outlives a reload and the end of a session, encrypted for this tab, until log-out. It begins with the template and the sender that were chosen last, which are
 * kept in this tab until log-out.
 */
export function useDraft() {
  const { config } = useSession()
  const [kept, keep] = useKept<StoredCover>('send.cover', { template: config.default_cover, from: '' })
  const blank = useMemo(() => ({ ...blankDraft, cover: nextCover(kept) }), [kept])
  const [draft, change] = useSessionState<Draft>(draftKey, blank)
  useKeptDraft(draft, change)
  const changeCover = (next: Partial<CoverDraft>) => {
    const { template, from } = { ...draft.cover, ...next }
    change((present) => changeDocument(present, { cover: { ...present.cover, ...next } }))
    keep({ template, from })
  }
  return { draft, change, changeCover }
}
