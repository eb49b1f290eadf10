import { type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { cleanup, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetSealed } from '../../api/tab-vault.ts'
import { bootstrapKey, emptyWorld, type Failure } from '../../demo/world.ts'
import { places } from '../../shell/navigation.ts'
import { renderConsole } from '../render-console.tsx'
import { renderScreen } from '../render-screen.tsx'
import { silent, withoutKey } from './of-people.ts'
import type { Way } from './steps.ts'
import { neverCalled, ways } from './ways.ts'

const detail = 'The made-up reason.'
const refusal = { detail, code: 'invalid', request_id: 'req-0001' }
const failures: [name: string, failure: Failure, why: (row: RouteRow) => string][] = [
  ['the network is down', 'offline', () => 'The gateway did not answer.'],
  [
    'it answers 500 without a body',
    { status: 500, statusText: 'Internal Server Error' },
    ({ shortError }) => (shortError ? `${shortError}: 500` : 'API Error: 500 Internal Server Error'),
  ],
  [
    'it answers 422 with a reason',
    { status: 422, statusText: 'Unprocessable Entity', body: refusal },
    ({ shortError }) => `${detail} (${shortError ? `${shortError}: 422` : 'API Error: 422 Unprocessable Entity'})`,
  ],
]
const walked = Object.entries(ways) as [RouteName, Way][]
/** Each call meets one of the failures, by turns; all of them in the long run. */
const failuresOf = (call: RouteName) => {
  const turn = walked.findIndex(([name]) => name === call) % failures.length
  return import.meta.env.FAXDECK_LONG ? failures : failures.slice(turn, turn + 1)
}

/** One piece of code hears of every 401: all calls meet it in the long run, some of each kind each time. */
const endingOnes = walked
  .filter(([, way]) => !way.anotherKey)
  .filter((_each, index) => import.meta.env.FAXDECK_LONG || index % 10 === 0)

const sources = import.meta.glob<string>(['../../**/*.{ts,tsx}', '!../../{demo,testing}/**', '!../../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const calls = new Set(
  Object.values(sources).flatMap((text) => [...text.matchAll(/\bclient\.(\w+)\b(?!')/g)].map(([, name]) => name)),
)

function worldOf(call: RouteName, way: Way, failure: Failure) {
  const world = emptyWorld()
  const open = way.world?.(world)
  world.failures.set(call, failure)
  const { place, find } = way
  return { world, at: { place, ...(open ? { open } : {}), ...(find === undefined ? {} : { find }) } }
}

// By role it would take seconds on a screen with hundreds of fields.
const findButton = (name: string) =>
  waitFor(() => {
    const all = [...document.querySelectorAll('button')]
    const found = all.filter((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === name).at(-1)
    if (!found) throw new Error(`There is no button "${name}".`)
    return found
  })

/** Shows the screen of the way, or the whole console where there is none yet. */
function show(call: RouteName, way: Way, failure: Failure): UserEvent {
  const { world, at } = worldOf(call, way, failure)
  if (way.gate) {
    history.replaceState(at, '')
    return renderConsole({ world, key: bootstrapKey }).user
  }
  const Screen = places.find(({ key }) => key === way.place)?.screen.Part ?? (() => null)
  return renderScreen(<Screen />, { world, at }).user
}

async function walk({ steps = [] }: Way, user: UserEvent): Promise<void> {
  for (const step of steps) {
    if (typeof step !== 'string') await step(user)
    else {
      await user.click(await findButton(step))
    }
  }
}

/** What is announced: one notice that holds all of the words. */
const expectNotice = (...words: string[]) =>
  waitFor(() => {
    const said = screen.queryAllByRole('alert').map((alert) => alert.textContent)
    expect(said.filter((text) => words.every((word) => text.includes(word)))).not.toEqual([])
  })

beforeAll(async () => {
  await Promise.all(places.map(({ screen: part }) => part.preload()))
})

describe('a call that fails', () => {
  it('has a place in this walk, whichever it is', () => {
    const placed = [ways, neverCalled, silent].flatMap((each) => Object.keys(each))
    expect([...placed, ...withoutKey].sort()).toEqual(Object.keys(routes).sort())
  })

  it('is made by the console, or has its reason why not', () => {
    expect([...Object.keys(ways), ...withoutKey].filter((name) => !calls.has(name))).toEqual([])
    expect(Object.keys(neverCalled).filter((name) => calls.has(name))).toEqual([])
  })

  it.each(walked)('%s is said where it is made', async (call, way) => {
    const row: RouteRow = routes[call]
    for (const [, failure, why] of failuresOf(call)) {
      const user = show(call, way, failure)
      await walk(way, user)
      const { shows } = way
      if (shows) await waitFor(() => shows(why(row)))
      else if (way.refusedAtField && typeof failure === 'object' && failure.status === 422)
        await screen.findByText(detail)
      else await expectNotice(way.what ?? row.failure, why(row))
      cleanup()
      // The next failure meets a form that nothing was left in.
      void forgetSealed()
    }
  })

  it.each(endingOnes)('%s ends the session on 401', async (call, way) => {
    const { world, at } = worldOf(call, way, { status: 401, statusText: 'Unauthorized' })
    history.replaceState(at, '')
    const { user } = renderConsole({ world, key: bootstrapKey })
    if (way.steps) await walk(way, user)
    await screen.findByLabelText('API Key')
    await expectNotice('Your API key was revoked, rotated or has expired')
  })
})
