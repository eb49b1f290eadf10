import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { exportSettings, persistSettings } from './queries.ts'

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
  const persist = useAction(persistSettings, {
    onDone: (done) => {
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
    error: load.error ?? persist.error,
    /** Writes what the panel holds when a person has changed it, else everything in force. */
    save: () => persist.run(edited ? content : undefined),
  }
}
export type EnvFile = ReturnType<typeof useEnvFile>
