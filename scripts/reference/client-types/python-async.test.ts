import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../repository.mjs'
import { pythonAsync } from './python-async.mjs'

const read = (name: string) => readFileSync(join(repositoryRoot, 'sdk-python/faxdeck', name), 'utf8')

it('the client for asyncio is what the blocking client says now', () => {
  expect(read('aio.py')).toBe(pythonAsync())
})

it('has every public method of the blocking client, and hands every argument on', () => {
  const text = pythonAsync()
  for (const file of ['client.py', 'broadcasts.py', 'inbound.py']) {
    const names = [...read(file).matchAll(/^ {4}def ([a-z]\w*)\(/gm)].map(([, name]) => name)
    const predecessors = ['send_fax', 'get_status']
    for (const name of names.filter((name) => !predecessors.includes(name ?? '')))
      expect(text).toContain(`def ${name}(`)
  }
  const wait = 'self._blocking.wait, fax_id, timeout=timeout, on_change=in_loop(on_change)'
  expect(text).toContain(`await self._threads.run(${wait})`)
  expect(text).toContain('return self._threads.each(self._blocking.list(metadata=metadata, **filters))')
})
