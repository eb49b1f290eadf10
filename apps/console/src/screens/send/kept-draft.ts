import { useEffect, useEffectEvent, useState } from 'react'
import { seal, unseal } from '../../api/tab-vault.ts'
import { useToast } from '../../ui/overlay/toast.tsx'
import { blankDraft, holdsWork, type ChosenFile, type Draft } from './draft.ts'

/** A draft is kept when the typing pauses; at once when it is handed over. */
const typingPause = 500

type FileFacts = Pick<ChosenFile, 'id' | 'kind'> & { name: string; type: string; lastModified: number }

interface Words {
  draft: Partial<Draft>
  file: FileFacts | undefined
}

/** What there is of a draft besides its file's bytes. What was sent stands in Jobs. */
function wordsOf({ chosen, ...draft }: Draft): Words {
  const { id, kind, file } = chosen ?? {}
  const facts =
    id !== undefined && kind !== undefined && file
      ? { id, kind, name: file.name, type: file.type, lastModified: file.lastModified }
      : undefined
  return { draft: { ...draft, sending: false, sent: [], failed: [] }, file: facts }
}

/** A file goes with the id of its choice: with other words it is another draft's. */
function withId(id: string, content: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(id)
  const bytes = new Uint8Array(name.length + content.byteLength)
  bytes.set(name)
  bytes.set(new Uint8Array(content), name.length)
  return bytes
}

function bytesOf(id: string, sealed: Uint8Array<ArrayBuffer> | undefined): Uint8Array<ArrayBuffer> | undefined {
  const { length } = new TextEncoder().encode(id)
  const isOwn = sealed && new TextDecoder().decode(sealed.subarray(0, length)) === id
  return isOwn ? sealed.slice(length) : undefined
}

const encode = (words: Words) => new TextEncoder().encode(JSON.stringify(words))

/**
 * A draft as it comes back. Numbers that were tried stay out: whether they were accepted is not known here, and under
 * another API key a second try would be a second fax.
 */
export function restoreDraft({ draft, file }: Words, bytes: Uint8Array<ArrayBuffer> | undefined): Draft {
  const all = { ...blankDraft, ...draft }
  const tried = new Set(all.keys.map(({ to }) => to))
  const chosen = file && bytes ? { id: file.id, kind: file.kind, file: new File([bytes], file.name, file) } : undefined
  return { ...all, chosen, recipients: all.recipients.filter((to) => !tried.has(to)), keys: [], splitKey: undefined }
}

async function readDraft(): Promise<{ draft: Draft; hasTried: boolean } | undefined> {
  const sealed = await unseal('draft')
  if (!sealed) return undefined
  const words = JSON.parse(new TextDecoder().decode(sealed)) as Words
  const bytes = words.file && bytesOf(words.file.id, await unseal('file'))
  return { draft: restoreDraft(words, bytes), hasTried: (words.draft.keys ?? []).length > 0 }
}

type Change = (change: (present: Draft) => Draft) => void

/** Brings back the draft that this tab kept, unless another one was begun, and keeps it from then on. */
export function useKeptDraft(draft: Draft, change: Change): void {
  const say = useToast()
  const [isReady, setReady] = useState(false)
  const restore = useEffectEvent((kept: Awaited<ReturnType<typeof readDraft>>) => {
    if (kept && holdsWork(kept.draft) && !holdsWork(draft)) {
      change((present) => (holdsWork(present) ? present : { ...kept.draft, sent: present.sent }))
      say(kept.hasTried ? 'Draft restored. Numbers already attempted were left out. See Jobs.' : 'Draft restored')
    }
    setReady(true)
  })
  useEffect(() => {
    void readDraft()
      .catch(() => undefined)
      .then(restore)
  }, [])

  const { chosen } = draft
  useEffect(() => {
    if (!isReady) return
    if (chosen) void chosen.file.arrayBuffer().then((content) => seal('file', withId(chosen.id, content)))
    else void seal('file', undefined)
  }, [isReady, chosen])

  useEffect(() => {
    if (!isReady) return
    const keep = () => void seal('draft', holdsWork(draft) ? encode(wordsOf(draft)) : undefined)
    if (draft.sending) {
      keep()
      return
    }
    const timer = setTimeout(keep, typingPause)
    return () => clearTimeout(timer)
  }, [isReady, draft])
}
