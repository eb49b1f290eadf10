import { render } from '@testing-library/react'
import { keepKey } from '../api/key.ts'
import { createQueryClient } from '../api/query-client.ts'
import { App } from '../app.tsx'
import { answerFrom, quickPerson } from './render-screen.tsx'
import { emptyWorld, type World } from '../demo/world.ts'

/** Shows the whole console, as after loading the page; logged in when `key` is given. */
export function renderConsole({ world = emptyWorld(), key }: { world?: World; key?: string } = {}) {
  answerFrom(world)
  if (key) keepKey(key)
  const result = render(<App queries={createQueryClient()} />)
  return { ...result, world, user: quickPerson() }
}
