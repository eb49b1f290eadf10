import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import type { EnvFile } from './file/env-file.ts'

interface Props {
  file: EnvFile
  loading: boolean
  onLoad: () => void
  onRestart: () => void
}

/** What can be done with the settings as a whole. */
export function HeadActions({ file, loading, onLoad, onRestart }: Props) {
  const { config } = useSession()
  return (
    <>
      <Button busy={loading} onClick={onLoad}>
        Load Settings
      </Button>
      <Button busy={file.load.busy} onClick={() => file.load.run(file.withSecrets)}>
        Export .env
      </Button>
      <Button busy={file.preview.busy} onClick={file.askToSave}>
        Save .env to server
      </Button>
      {config.allow_restart && <Button onClick={onRestart}>Save & Restart</Button>}
    </>
  )
}
