import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { keepKey } from '../api/key.ts'
import { createQueryClient } from '../api/query-client.ts'
import { SessionContext, type Session } from '../session/session.ts'
import { useVisit, visit, type Visit } from '../session/visit.ts'
import { ToastProvider } from '../ui/overlay/toast.tsx'
import { fakeFetch } from './fake-fetch.ts'
import { bootstrapKey, emptyWorld, type World } from '../demo/world.ts'

interface Options {
  /** An empty one when absent. */
  world?: World
  /** Where the person is; what is open there. */
  at?: Visit
  /** Places that are said not to exist. */
  without?: readonly string[]
}

function TestSession({ world, without = [], children }: Options & { world: World; children: ReactNode }) {
  const session: Session = {
    config: world.config,
    visit: useVisit(),
    go: (place, { open, find, replace } = {}) => {
      const shown = { ...(open === undefined ? {} : { open }), ...(find === undefined ? {} : { find }) }
      visit({ place, ...shown }, { replace })
    },
    canGo: (place) => !without.includes(place),
    may: () => true,
    person: null,
    logOut: () => undefined,
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Lets every call of the console be answered by the world. */
export function answerFrom(world: World): void {
  vi.stubGlobal('fetch', fakeFetch(world))
}

/** Types without pauses, and looks for no style sheet that forbids a press: jsdom applies none, and looking takes long. */
export const quickPerson = () => userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })

/**
 * Shows one screen to a person who is logged in with the bootstrap key. Where `go` leads is in `history.state`.
 *
 *     const { user, world } = renderScreen(<KeysScreen />, { world: demoWorld() })
 *     await user.click(await screen.findByRole('button', { name: 'Create Key' }))
 */
export function renderScreen(shown: ReactNode, { world = emptyWorld(), at, without }: Options = {}) {
  answerFrom(world)
  keepKey(bootstrapKey)
  if (at) visit(at)
  const result = render(
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <TestSession world={world} without={without}>
          {shown}
        </TestSession>
      </ToastProvider>
    </QueryClientProvider>,
  )
  return { ...result, world, user: quickPerson() }
}
