import type { CallProblem } from '@faxdeck/contract/client'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Panel } from '../../../ui/layout/card.tsx'
import type { Plan, ProviderEntry } from '../plan.ts'
import { registerWebhook } from '../queries.ts'
import styles from '../setup.module.css'

const failed = (reason: string | null) => `Failed: ${reason || 'Unknown error'}`
const reasonOf = ({ answer, status, message }: CallProblem) =>
  answer?.detail ?? (status === 0 ? 'The gateway did not answer.' : message)

/** Lets the gateway register our inbound address at the provider: "Register with Sinch" where Sinch is chosen. */
export function RegisterPanel({ provider, plan }: { provider: ProviderEntry; plan: Plan }) {
  const [outcome, setOutcome] = useState<string>()
  const register = useAction(registerWebhook, {
    onDone: ({ success, webhook_url: url, error }) => setOutcome(success ? `Registered: ${url}` : failed(error)),
  })
  const words = register.error ? failed(reasonOf(register.error)) : outcome
  const isPending = Object.keys(plan.changes).length > 0
  return (
    <Panel aria-label="Registration">
      <h3>Registration</h3>
      <div className={styles.row}>
        <Button action={register}>Register with {provider.name}</Button>
        <p className={styles.quiet}>
          Tells {provider.name} where to deliver received faxes
          {isPending ? ', using the applied account. Apply your changes first.' : '.'}
        </p>
      </div>
      <p role="status" className={styles.outcome}>
        {!register.busy && words}
      </p>
    </Panel>
  )
}
