import type { TunnelStatus } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { configureTunnel, tunnelQuery } from './queries.ts'
import { tunnelChoices } from './tunnel-names.ts'
import styles from './tunnel.module.css'

/** Which kind of tunnel somebody runs here; kept, so that the status looks for the right one. */
export function TunnelChooser({ status }: { status: TunnelStatus }) {
  const say = useToast()
  const present = status.enabled ? status.provider : 'none'
  const [chosen, choose] = useState(present)
  const save = useAction(configureTunnel, {
    refreshes: [tunnelQuery.queryKey],
    onDone: () => say('Tunnel saved'),
  })
  return (
    <>
      <div className={styles.choose}>
        <SelectField
          label="Tunnel"
          help="The tunnel that runs on this machine."
          value={chosen}
          choices={tunnelChoices}
          onChange={choose}
        />
        <Button
          busy={save.busy}
          disabled={chosen === present}
          onClick={() => save.run({ enabled: chosen !== 'none', provider: chosen })}
        >
          Save tunnel
        </Button>
      </div>
      {save.error && <ErrorNotice error={save.error} />}
    </>
  )
}
