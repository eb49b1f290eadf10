import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { guideOf } from './guide.ts'
import { places } from './navigation.ts'

const guides = join(import.meta.dirname, '../../../../docs/guides')

it('leads each place to a page that is there', () => {
  for (const place of places) {
    const address = guideOf(place, { branding: { docs_base: '/docs/latest' } })
    const page = address.replace(/^\/docs\/latest\//, '').replace(/\/$/, '')
    const file = page === '' ? 'README' : page
    const found = existsSync(join(guides, `${file}.md`)) || existsSync(join(guides, '..', `${file}.md`))
    expect(found, `${place.key}: ${address}`).toBe(true)
  }
})

it('follows another base', () => {
  const config = { branding: { docs_base: 'https://docs.clinic.example/fax/' } }
  expect(guideOf(undefined, config)).toBe('https://docs.clinic.example/fax/')
  expect(guideOf({ key: 'settings/keys' }, config)).toBe('https://docs.clinic.example/fax/keys/')
})
