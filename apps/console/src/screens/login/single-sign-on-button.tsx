import { startSingleSignOn } from '../../api/account.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'

/** Leads to the provider of single sign-on, which sends the browser back to the console. */
export function SingleSignOnButton({ label }: { label: string }) {
  const start = useAction(startSingleSignOn)
  return (
    <>
      <Button tone="primary" busy={start.busy} onClick={() => start.run(false)}>
        Sign in with {label}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </>
  )
}
