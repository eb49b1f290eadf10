import { HttpsNote } from '../../../ui/layout/https-note.tsx'
import { httpsFacts } from './https-facts.ts'
import { SettingList, settingsOf } from './setting-list.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import type { StepProps } from '../step-props.ts'

const switches = ['require_api_key', 'enforce_public_https', 'audit_log_enabled']
const lifetimes = ['pdf_token_ttl_minutes', 'inbound_token_ttl_minutes']

/** Step 3: who may call, what may travel in the clear, and what is written down. */
export function SecurityStep({ plan, enter }: StepProps) {
  return (
    <>
      <Panel>
        <SettingList plan={plan} enter={enter} settings={settingsOf({ plan }, ...switches)} />
        <HttpsNote facts={httpsFacts(plan)} />
      </Panel>
      <Panel aria-label="Lifetimes">
        <h3>How long links to documents stay valid</h3>
        <SettingList plan={plan} enter={enter} settings={settingsOf({ plan }, ...lifetimes)} />
      </Panel>
    </>
  )
}
