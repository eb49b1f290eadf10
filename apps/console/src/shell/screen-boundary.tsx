import { Component, type ReactNode } from 'react'
import { Button } from '../ui/control/button.tsx'
import { IconAlert } from '../ui/control/icons.ts'
import { EmptyState } from '../ui/layout/states.tsx'

interface State {
  failed: boolean
}

/** Keeps a fault of one screen from taking the others with it. React reports the fault itself to the browser's console. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <EmptyState
        icon={IconAlert}
        title="This screen couldn’t be shown"
        why="Faxdeck may have been upgraded while this page was open, or the console has a bug. Reloading keeps your place. The gateway is not affected."
        next={
          <Button tone="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      />
    )
  }
}
