import { Panel } from '../../../ui/layout/card.tsx'
import { HttpsNote } from '../../../ui/layout/https-note.tsx'
import { Note } from '../../../ui/layout/states.tsx'
import { ConnectInbound } from '../apply/connect-inbound.tsx'
import { useValidation, ValidateButton, ValidationOutcome } from '../apply/validation.tsx'
import { accountSettings, accountsOf, httpsFacts, needsPublicAddress, type ProviderEntry } from '../plan.ts'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'
import { SettingList, settingsOf } from './setting-list.tsx'

/** Step 2: the accounts of the chosen providers, and the way of received faxes. */
export function CredentialsStep(props: StepProps) {
  const { plan } = props
  const accounts = accountsOf(plan)
  return (
    <>
      {needsPublicAddress(accounts) && <PublicAddress {...props} />}
      {accounts.map((provider) => (
        <Account key={provider.id} provider={provider} {...props} />
      ))}
      {plan.receives && plan.receiver && <ConnectInbound {...props} provider={plan.receiver} />}
    </>
  )
}

function PublicAddress({ plan, enter }: StepProps) {
  return (
    <Panel aria-label="Public address">
      <h3>Public address</h3>
      <SettingList plan={plan} enter={enter} settings={settingsOf({ plan }, 'public_api_url')} />
      <HttpsNote facts={httpsFacts(plan)} />
    </Panel>
  )
}

function validationHint({ kind, name }: ProviderEntry): string {
  const asked = kind === 'managed' ? 'Tests these values with your trunk.' : `Tests these values with ${name}.`
  return `${asked} Nothing is saved.`
}

function Account({ plan, enter, provider }: StepProps & { provider: ProviderEntry }) {
  const validation = useValidation(plan, [provider])
  const settings = accountSettings(plan, provider)
  return (
    <Panel aria-label={provider.name}>
      <h3>{provider.name}</h3>
      {provider.kind === 'self_hosted' && (
        <Note tone="warn">
          Never expose your switch’s control port to the internet. Anyone who reaches it can make calls at your expense.
        </Note>
      )}
      <SettingList plan={plan} enter={enter} settings={settings} refusal={validation.error} />
      <div className={styles.row}>
        <ValidateButton validation={validation}>Validate Provider</ValidateButton>
        <p className={styles.quiet}>{validationHint(provider)}</p>
      </div>
      <ValidationOutcome validation={validation} registry={plan.registry} />
    </Panel>
  )
}

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
