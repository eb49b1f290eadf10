import { describe, expect, it } from 'vitest'
import { Lanes } from './lanes.ts'

describe('Lanes', () => {
  it('runs so many tasks at a time and all of them in the end', async () => {
    const lanes = new Lanes(3)
    let running = 0
    let most = 0
    let done = 0
    const all = Promise.withResolvers<undefined>()
    const task = async (): Promise<void> => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      done += 1
      if (done === 20) all.resolve(undefined)
    }
    for (let index = 0; index < 20; index += 1) lanes.enter(task)
    await all.promise
    expect(most).toBe(3)
  })

  it('closes after the running tasks, without the waiting ones', async () => {
    const lanes = new Lanes(1)
    const ran: string[] = []
    const gate = Promise.withResolvers<undefined>()
    lanes.enter(async () => {
      await gate.promise
      ran.push('running')
    })
    lanes.enter(async () => void ran.push('waiting'))
    const closed = lanes.close()
    gate.resolve(undefined)
    await closed
    expect(ran).toEqual(['running'])
  })
})
