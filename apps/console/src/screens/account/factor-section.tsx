import type { Factors, Passkey } from '@faxdeck/contract'
import { type ReactNode, useState } from 'react'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { useAction } from '../../api/use-action.ts'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ErrorNotice, Note } from '../../ui/layout/states.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import styles from './account.module.css'
import { CodesDialog, PasskeyDialog, RenameDialog, TotpDialog } from './factor-dialogs.tsx'
import { removePasskey, removeTotp, renewCodes } from './queries.ts'

/** So few recovery codes are worth a warning. */
const fewCodes = 3

type Doing = 'totp' | 'passkey' | 'remove-totp' | { remove: Passkey } | { rename: Passkey }

/** Passkeys, authenticator app and recovery codes. */
export function FactorSection({ factors }: { factors: Factors }) {
  const [doing, setDoing] = useState<Doing>()
  const [codes, setCodes] = useState<string[] | null>(null)
  const close = () => setDoing(undefined)
  const added = (made: string[] | null) => {
    close()
    setCodes(made)
  }
  const renew = useAction(renewCodes, {
    onDone: ({ recovery_codes: made }) => setCodes(made),
    refreshes: [['account']],
  })
  const { totp, passkeys, recovery_codes_left: left, required } = factors
  const isOn = totp !== null || passkeys.length > 0
  return (
    <Card title="Second factors" width="full">
      <p className={styles.lead}>
        {isOn
          ? 'Your password alone can’t open this account.'
          : 'Add a second factor so a stolen password alone can’t open your account.'}
        {required && ' Your administrator requires a second factor.'}
      </p>
      <ul className={styles.rows}>
        {passkeys.map((each) => (
          <Row key={each.id} name={each.name} facts={<PasskeyFacts passkey={each} />}>
            <Button onClick={() => setDoing({ rename: each })} aria-label={`Rename passkey ${each.name}`}>
              Rename
            </Button>
            <Button onClick={() => setDoing({ remove: each })} aria-label={`Remove passkey ${each.name}`}>
              Remove
            </Button>
          </Row>
        ))}
        <Row
          name="Passkey"
          facts={
            knowsPasskeys()
              ? 'Fingerprint, face, PIN or security key'
              : 'Passkeys don’t work at this address. Open the console by its host name over HTTPS.'
          }
        >
          <Button disabled={!knowsPasskeys()} onClick={() => setDoing('passkey')}>
            Add passkey
          </Button>
        </Row>
        <Row
          name="Authenticator app"
          facts={
            totp ? (
              <>
                Last used <Ago at={totp.last_used_at} />
              </>
            ) : (
              'Six-digit codes from an app on your phone'
            )
          }
        >
          {totp ? (
            <Button onClick={() => setDoing('remove-totp')} aria-label="Remove authenticator app">
              Remove
            </Button>
          ) : (
            <Button onClick={() => setDoing('totp')}>Set up</Button>
          )}
        </Row>
        {isOn && (
          <Row name="Recovery codes" facts={`${left} of 10 left. New codes replace the old ones.`}>
            <Button action={renew}>Make new codes</Button>
          </Row>
        )}
      </ul>
      {isOn && left <= fewCodes && (
        <Note tone="warn">
          {left === 0 ? 'You have no' : `You have only ${left}`} recovery {left === 1 ? 'code' : 'codes'} left. Make new
          ones before you need them.
        </Note>
      )}
      {renew.error && <ErrorNotice error={renew.error} />}
      {doing === 'totp' && <TotpDialog onDone={added} onClose={close} />}
      {doing === 'passkey' && <PasskeyDialog onDone={added} onClose={close} />}
      {doing === 'remove-totp' && <RemoveDialog passkey={undefined} onClose={close} />}
      {typeof doing === 'object' && 'remove' in doing && <RemoveDialog passkey={doing.remove} onClose={close} />}
      {typeof doing === 'object' && 'rename' in doing && <RenameDialog passkey={doing.rename} onClose={close} />}
      {codes && <CodesDialog codes={codes} onDone={() => setCodes(null)} />}
    </Card>
  )
}

function PasskeyFacts({ passkey: { host, created_at: created, last_used_at: used } }: { passkey: Passkey }) {
  return (
    <>
      Passkey for {host}, added <Time at={created} dayOnly />
      {used && (
        <>
          , last used <Ago at={used} />
        </>
      )}
    </>
  )
}

function Row({ name, facts, children }: { name: string; facts: ReactNode; children: ReactNode }) {
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <strong>{name}</strong>
        <span className="quiet">{facts}</span>
      </span>
      {children}
    </li>
  )
}

/** Removes a passkey, or the authenticator app. */
function RemoveDialog({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) {
  return (
    <ConfirmAction
      title={passkey ? `Remove the passkey “${passkey.name}”?` : 'Remove the authenticator app?'}
      verb="Remove"
      danger
      perform={() => (passkey ? removePasskey(passkey.id) : removeTotp())}
      input={undefined}
      refreshes={[['account']]}
      onClose={onClose}
    >
      <p>
        {passkey
          ? 'You can no longer sign in with it. Delete it from the device too.'
          : 'You can no longer sign in with its codes.'}
      </p>
    </ConfirmAction>
  )
}
