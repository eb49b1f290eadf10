import { expect, it } from 'vitest'
import { forgetSealed, seal, unseal } from './tab-vault.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found)

// Without IndexedDB, as here, it stays in memory; what a browser has on its disk is looked at by e2e.
it('keeps what was sealed last under a name, until it is forgotten', async () => {
  await seal('draft', bytes('one'))
  await seal('draft', bytes('two'))
  await seal('file', bytes('other'))
  expect(text(await unseal('draft'))).toBe('two')
  await seal('draft', undefined)
  expect(await unseal('draft')).toBeUndefined()
  expect(text(await unseal('file'))).toBe('other')
  await forgetSealed()
  expect(await unseal('file')).toBeUndefined()
})
