import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createDocuments } from '../index.ts'

/** The priorities of this process's threads as the system has them: the main one's first (proc(5), field 19). */
function priorities(): number[] {
  const threads = readdirSync('/proc/self/task').map(Number)
  const ordered = [process.pid, ...threads.filter((thread) => thread !== process.pid)]
  return ordered.map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

it.skipIf(process.platform !== 'linux')('draws behind everything that has to be in time', async () => {
  const [before = 0] = priorities()
  const documents = createDocuments({ threads: 1 })
  onTestFinished(() => documents.close())
  await documents.page(new TextEncoder().encode('A page.'), 1, { paper: 'letter', resolution: 'fine' })
  const [main, ...others] = priorities()
  expect(main).toBe(before)
  expect(others).toContain(5)
})
