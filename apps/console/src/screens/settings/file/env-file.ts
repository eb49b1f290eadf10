import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { exportSettings, persistSettings, previewPersist } from '../queries.ts'

type Plan = Pick<Awaited<ReturnType<typeof previewPersist>>, 'path' | 'changes'>

/** The text of the .env panel, and the calls behind it. `show` brings the panel into view: what was done stands there. */
export function useEnvFile(show: () => unknown) {
  const [content, setContent] = useState('')
  const [edited, setEdited] = useState(false)
  const [withSecrets, setWithSecrets] = useState(false)
  const [path, setPath] = useState<string>()
  const load = useAction(exportSettings, {
    onDone: (text, secrets) => {
      setContent(text)
      setWithSecrets(secrets)
      setEdited(false)
      show()
    },
  })
  const [plan, setPlan] = useState<Plan>()
  const preview = useAction(previewPersist, { onDone: ({ path, changes }) => setPlan({ path, changes }) })
  const persist = useAction(persistSettings, {
    onDone: (done) => {
      setPlan(undefined)
      setPath(done.path)
      show()
    },
  })
  const change = (text: string) => {
    setContent(text)
    setEdited(text !== '')
  }
  return {
    content,
    withSecrets,
    path: persist.busy ? undefined : path,
    change,
    load,
    persist,
    preview,
    error: load.error ?? preview.error,
    /** What is about to be written, while the person is asked. */
    plan,
    closePlan: () => {
      setPlan(undefined)
      persist.reset()
    },
    /** Asks before it writes what the panel holds when a person has changed it, else everything in force. */
    askToSave: () => preview.run(edited ? content : undefined),
    save: () => persist.run(edited ? content : undefined),
  }
}
export type EnvFile = ReturnType<typeof useEnvFile>
