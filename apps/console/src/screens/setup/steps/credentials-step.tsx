import { Note } from '../../../ui/layout/note.tsx'
import { ConnectInbound } from '../apply/connect-inbound.tsx'
import { HttpsNote } from '../../../ui/layout/https-note.tsx'
import { httpsFacts } from './https-facts.ts'
import { accountsOf, accountSettings, needsPublicAddress, type ProviderEntry } from '../plan.ts'
import { SettingList, settingsOf } from './setting-list.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from '../setup.module.css'
import type { StepProps } from './step-props.ts'
import { useValidation, ValidateButton, ValidationOutcome } from '../apply/validation.tsx'

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
