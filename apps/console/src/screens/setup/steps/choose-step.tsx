import { Chip } from '../../../ui/control/status-chip.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { normalizedEntry } from '../../../ui/form/setting-entry.ts'
import { Panel } from '../../../ui/layout/card.tsx'
import { Note } from '../../../ui/layout/states.tsx'
import { verificationHint } from '../apply/verification-hint.ts'
import { inboundOptions, outboundOptions, type Plan, type ProviderEntry } from '../plan.ts'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'
import { SettingList, settingsOf } from './setting-list.tsx'

const kinds = {
  cloud: 'Cloud service',
  self_hosted: 'Your own telephone switch',
  managed: 'A SIP trunk from any carrier. Needs Asterisk installed, which Faxdeck runs',
  plugin: 'Plugin',
  builtin: 'Built in',
} as const

/** Step 1: who sends, and who receives. */
export function ChooseStep({ plan, change, enter }: StepProps) {
  const { registry, outbound, inbound } = plan
  const receiving = settingsOf({ plan }, 'inbound_enabled')
  const choices = inboundOptions(registry).map(({ id, name }) => ({ value: id, label: name }))
  const chooseInbound = (id: string) => {
    change((draft) => ({ ...draft, inbound: id }))
    // Choosing a provider to receive turns receiving on.
    for (const setting of receiving) if (id !== '') enter(setting.key, normalizedEntry(setting, true))
  }
  return (
    <>
      <Panel>
        <fieldset className={styles.options}>
          <legend>Outbound provider</legend>
          {outboundOptions(registry).map((provider) => (
            <ProviderOption
              key={provider.id}
              provider={provider}
              chosen={provider.id === outbound?.id}
              onChoose={() => change((draft) => ({ ...draft, outbound: provider.id }))}
            />
          ))}
        </fieldset>
        <OutboundNote provider={outbound} />
      </Panel>
      <Panel>
        <SelectField
          label="Inbound provider"
          help={
            plan.receives
              ? 'Receives the faxes sent to you.'
              : 'Receiving is not set up: faxes sent to you don’t arrive here. Choose a provider to turn it on.'
          }
          value={inbound}
          choices={[{ value: '', label: 'Same as outbound' }, ...choices]}
          onChange={chooseInbound}
        />
        <SettingList plan={plan} enter={enter} settings={receiving} />
        <InboundNote plan={plan} />
      </Panel>
    </>
  )
}

interface OptionProps {
  provider: ProviderEntry
  chosen: boolean
  onChoose: () => void
}

function ProviderOption({ provider, chosen, onChoose }: OptionProps) {
  const { id, name, kind, configured, traits } = provider
  return (
    <label className={styles.option} data-chosen={chosen || undefined}>
      <input type="radio" name="outbound" value={id} checked={chosen} onChange={onChoose} />
      <span className={styles.words}>
        <span className={styles.title}>{traits.recommended ? `${name} (recommended)` : name}</span>
        <span className={styles.quiet}>{kinds[kind]}</span>
      </span>
      {configured && <Chip tone="ok">Set up</Chip>}
    </label>
  )
}

function OutboundNote({ provider }: { provider: ProviderEntry | undefined }) {
  if (!provider) return <Note tone="warn">The current provider isn’t available here. Choose one of these.</Note>
  if (provider.kind === 'self_hosted') {
    return (
      <Note tone="warn">
        {provider.name} is your own telephone switch. It needs a trunk that carries faxes. Keep its control port on this
        machine or a private network, never on the internet.
      </Note>
    )
  }
  if (provider.kind === 'managed') {
    return (
      <Note>
        You need the server, user name and password from your carrier, and Asterisk installed on this machine (apt
        install asterisk). You can add your numbers later. Faxdeck configures and runs an Asterisk of its own and
        changes nothing else.
      </Note>
    )
  }
  if (!provider.traits.recommended) return null
  return <Note tone="ok">Nothing to install. You can send your first fax minutes after opening an account.</Note>
}

function InboundNote({ plan }: { plan: Plan }) {
  const { receiver, receives } = plan
  if (!receiver) return null
  if (!receiver.traits.supports_inbound) {
    return (
      <Note tone="warn">
        {receiver.name} can’t deliver received faxes to Faxdeck. Choose another inbound provider, or only send faxes.
      </Note>
    )
  }
  return receives ? <Note>{verificationHint(receiver)}</Note> : null
}
