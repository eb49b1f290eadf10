import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'

const target = 'settings/settings'

/** The way to the setting that mends something; absent where there is no such screen. */
export function SettingsButton({ setting, what }: { setting: string | null; what: string }) {
  const { go, canGo } = useSession()
  if (!canGo(target)) return null
  return (
    <Button
      tone="quiet"
      aria-label={`Go to Settings: ${what}`}
      onClick={() => go(target, setting === null ? {} : { open: setting })}
    >
      Go to Settings
    </Button>
  )
}
