import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTestLine } from '../send.ts'
import { FakeHost, faxTo } from './fake-host.ts'

// Sends fax after fax and prints each attempt that was acknowledged. It ends when it is killed.
const [, , directory = ''] = process.argv
const line = openTestLine(new FakeHost(directory), { testline_seconds: 0 })
const pages = join(directory, 'pages.tif')
await writeFile(pages, 'pages')
const never = new AbortController().signal
const sendOn = async (): Promise<never> => {
  for (;;) {
    const fax = faxTo('+15555550199', pages)
    await line.send(fax, never)
    process.stdout.write(`${fax.attemptId}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, sendOn))
