import { CodeBlock } from '../../../ui/layout/code-block.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { EnvFile } from './env-file.ts'

/** Asks before the settings as they are take the place of what is entered. */
export function LoadDialog({ onLoad, onClose }: { onLoad: () => void; onClose: () => void }) {
  const load = () => {
    onClose()
    onLoad()
  }
  return (
    <Confirm title="Reload the settings?" verb="Load" danger onConfirm={load} onClose={onClose}>
      <p>Your unsaved changes will be lost.</p>
    </Confirm>
  )
}

type Change = NonNullable<EnvFile['plan']>['changes'][number]

/** A change as a line of a diff: added, removed or replaced. */
function linesOf({ name, before, after }: Change): string {
  const removed = before === null ? [] : [`- ${name}=${before}`]
  const added = after === null ? [] : [`+ ${name}=${after}`]
  return [...removed, ...added].join('\n')
}

/** Shows what will be written to the server's .env file, and asks. */
export function SaveEnvDialog({ file }: { file: EnvFile }) {
  if (!file.plan) return null
  const { path, changes } = file.plan
  const count = changes.length === 1 ? '1 line will change' : `${changes.length} lines will change`
  return (
    <Confirm
      title="Save .env to server?"
      verb="Save"
      action={file.persist}
      onConfirm={file.save}
      onClose={file.closePlan}
    >
      <p>
        {changes.length === 0 ? 'Nothing will change in ' : `${count} in `}
        <code>{path}</code>. The file contains secrets in plain text and can be read only by its owner. Faxdeck reads it
        at the next start.
      </p>
      {changes.length > 0 && <CodeBlock title="Changes" code={changes.map(linesOf).join('\n')} />}
    </Confirm>
  )
}
