import type { Account } from '@faxdeck/contract'
import { useState } from 'react'
import { accountQuery, acknowledgeReset } from '../api/account.ts'
import { client } from '../api/client.ts'
import { useReachable } from '../api/live/reachability.ts'
import { useAction } from '../api/use-action.ts'
import { ConfirmAction } from '../session/confirm-action.tsx'
import { useSession } from '../session/session.ts'
import { IconAlert } from '../ui/control/icons.ts'
import { ErrorNotice } from '../ui/layout/states.tsx'
import { Confirm } from '../ui/overlay/dialog.tsx'
import { Time } from '../ui/time.tsx'
import styles from './banners.module.css'

interface Props {
  /** A mark in the header says that the test line is on. */
  folded: boolean
  /** Absent where the header has no room for the mark. */
  onFold?: (() => void) | undefined
}

/** What is true of every screen: it is a demo, the test line is on, the account is for tests, the gateway is silent. */
export function Banners({ folded, onFold }: Props) {
  const { config, canGo, go, may } = useSession()
  const reachable = useReachable()
  const { test_line_bypasses: ready } = config
  const [starts, start] = useState(false)
  return (
    <section aria-label="Notices">
      {config.demo && (
        <div className={styles.banner}>
          <p>Demo: everything here is made up and exists only on this page. Reload the page to start over.</p>
        </div>
      )}
      {config.data_folder_from !== null && (
        <DataFolderNotice from={config.data_folder_from} mayAnswer={may('run_gateway')} />
      )}
      {config.test_line && !config.demo && !folded && (
        <div className={styles.banner}>
          <p>
            {ready === null
              ? 'Test line on: nothing leaves this machine.'
              : `Test line on. ${ready} is ready. Nothing leaves this machine yet.`}
            {ready !== null && may('manage_settings') && (
              <button type="button" onClick={() => start(true)}>
                Start sending for real
              </button>
            )}
            {ready === null && canGo('settings/setup') && (
              <button type="button" onClick={() => go('settings/setup')}>
                Set up a provider
              </button>
            )}
            {onFold && (
              <button type="button" className={styles.fold} aria-label="Hide the test line notice" onClick={onFold}>
                Hide
              </button>
            )}
          </p>
        </div>
      )}
      {starts && ready !== null && <StartSending provider={ready} onClose={() => start(false)} />}
      {config.test_account !== null && (
        <div className={styles.banner}>
          <p>
            This account is in test mode: {config.test_account} sends no real fax.
            {canGo('settings/settings') && (
              <button type="button" onClick={() => go('settings/settings')}>
                Enter live credentials
              </button>
            )}
          </p>
        </div>
      )}
      <div role="alert">
        {!reachable && (
          <div className={styles.banner} data-tone="bad">
            <p>
              <IconAlert size="1rem" aria-hidden="true" />
              <span>Faxdeck isn’t responding. This page may be out of date. Retrying…</span>
            </p>
          </div>
        )}
      </div>
    </section>
  )
}

type Move = 'moved' | 'copied'

const questions = {
  moved: {
    title: 'Was the data folder moved?',
    text: 'Its faxes go on from here. If another gateway still uses the original, every waiting fax is sent twice.',
    verb: 'Send from here',
  },
  copied: {
    title: 'Is this a copy?',
    text: 'Every fax here that has not ended is held, because the original sends it. You can release or cancel each of them.',
    verb: 'Hold its faxes',
  },
} as const

/** Asks what became of a data folder that is found in another place. Nothing is sent until somebody answers. */
function DataFolderNotice({ from, mayAnswer }: { from: string; mayAnswer: boolean }) {
  const [asked, setAsked] = useState<Move>()
  const answer = useAction((was: Move) => client.settleDataFolder({ body: { was } }), {
    onDone: () => setAsked(undefined),
    refreshes: [['config'], ['health-status']],
  })
  return (
    <>
      <div className={styles.banner} data-tone="bad">
        <p>
          Nothing is sent: the data folder is not where it was ({from}). Was it moved, or copied while the original goes
          on?
          {mayAnswer && (
            <>
              <button type="button" onClick={() => setAsked('moved')}>
                It was moved
              </button>
              <button type="button" onClick={() => setAsked('copied')}>
                It is a copy
              </button>
            </>
          )}
        </p>
      </div>
      {asked && (
        <Confirm
          title={questions[asked].title}
          verb={questions[asked].verb}
          danger={asked === 'moved'}
          action={answer}
          onConfirm={() => answer.run(asked)}
          onClose={() => setAsked(undefined)}
        >
          {questions[asked].text}
        </Confirm>
      )}
    </>
  )
}

/** Says to somebody who signs in that their second factors are gone, until they dismiss it: they may not have asked for that. */
export function ResetNotice({ at }: { at: NonNullable<Account['factors_reset_at']> }) {
  const { go } = useSession()
  const dismiss = useAction(acknowledgeReset, { refreshes: [accountQuery.queryKey] })
  return (
    <section aria-label="Second factors" role="status" className={styles.banner}>
      <p>
        <span>
          An administrator reset your second factors on <Time at={at} dated />. If you didn’t ask for this, tell them.
        </span>
        <button type="button" onClick={() => go('account')}>
          Set up new ones
        </button>
        <button type="button" disabled={dismiss.busy} onClick={() => dismiss.run(undefined)}>
          Dismiss
        </button>
      </p>
      {dismiss.error && <ErrorNotice error={dismiss.error} />}
    </section>
  )
}

/** Turns off the test line, and lets the provider that is ready send: the one that is chosen, if it is. */
async function startSending(name: string) {
  const [{ registry }, { hybrid }] = await Promise.all([client.listProviders({}), client.getSettings({})])
  const ready = Object.values(registry).find((provider) => provider.name === name)?.id
  const another = ready !== undefined && ready !== hybrid.outbound_backend && { outbound_backend: ready }
  return client.updateSettings({ body: { fax_disabled: false, ...another } })
}

const afterStart = [['config'], ['settings'], ['providers'], ['health-status'], ['activity'], ['plugins']]

interface StartProps {
  provider: string
  onClose: () => void
}

/** Asks before the test ends: from then on faxes are real. */
function StartSending({ provider, onClose }: StartProps) {
  return (
    <ConfirmAction
      title={`Send through ${provider}?`}
      verb="Start sending"
      perform={startSending}
      input={provider}
      refreshes={afterStart}
      toast={`Faxes are sent through ${provider} now`}
      onClose={onClose}
    >
      <p>
        The test line is turned off. New faxes are real calls to real fax machines through {provider}, and may cost
        money.
      </p>
    </ConfirmAction>
  )
}
