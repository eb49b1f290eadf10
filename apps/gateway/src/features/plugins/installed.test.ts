import type { Provider } from '@faxdeck/provider-kit'
import { expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { makeLine } from '../../testing/made-line.ts'
import { InstalledPlugins } from './installed.ts'
import { writeManifest } from './store.ts'
import { acmeManifest } from './testing/acme.ts'

const by = { keyId: 'test', now: new Date('2026-03-01T12:00:00Z') }

function pluginsOf(database: Database, builtin: readonly Provider[] = [makeLine().provider]) {
  const warnings: string[] = []
  const log = { warn: (_facts: object, message: string) => void warnings.push(message) }
  const plugins = new InstalledPlugins({ database, builtin, allowLoopback: false, log })
  const ids = () => plugins.providers().map(({ id }) => id)
  return { plugins, warnings, ids }
}

const store = (database: Database, id: string, manifest: object | null) =>
  transact(database, (tx) => writeManifest(tx, { id, text: manifest && JSON.stringify(manifest) }, by))

onEachDatabase((open, another) => {
  it('are the same in every process, whichever installed them', async () => {
    const database = await open()
    const [here, there] = [pluginsOf(database), pluginsOf(await another(database))]
    const renewed: string[][] = []
    there.plugins.onChange((ids) => void renewed.push([...ids]))
    await there.plugins.refresh()
    await store(database, 'acme-fax', acmeManifest())
    await store(database, 'other-fax', { ...acmeManifest(), id: 'other-fax' })
    await here.plugins.refresh()
    await there.plugins.refresh()
    expect(there.ids()).toEqual(['made', 'acme-fax', 'other-fax'])
    expect(here.ids()).toEqual(there.ids())

    const { provider } = there.plugins.find('other-fax') ?? {}
    await store(database, 'acme-fax', { ...acmeManifest(), name: 'Acme, renamed' })
    await there.plugins.refresh()
    expect(there.plugins.find('acme-fax')?.provider.name).toBe('Acme, renamed')
    expect(there.plugins.find('other-fax')?.provider).toBe(provider)
    await store(database, 'acme-fax', null)
    await there.plugins.refresh()
    expect(there.ids()).toEqual(['made', 'other-fax'])
    expect(renewed).toEqual([['acme-fax', 'other-fax'], ['acme-fax'], ['acme-fax']])
  })

  it('do not take the place of a provider that a later version brings', async () => {
    const database = await open()
    await store(database, 'acme-fax', acmeManifest())
    const ours = { ...makeLine().provider, id: 'acme-fax' }
    const { plugins, warnings } = pluginsOf(database, [ours])
    await plugins.refresh()
    expect(plugins.providers()).toEqual([ours])
    expect(warnings).toHaveLength(1)
  })

  it('that cannot be read any more stay, and say why they do not send', async () => {
    const database = await open()
    await store(database, 'acme-fax', { ...acmeManifest(), allowed_domains: [] })
    const { plugins, warnings } = pluginsOf(database)
    await plugins.refresh()
    const broken = plugins.find('acme-fax')?.provider
    expect(broken?.missing({})).toMatch(/^The manifest of acme-fax cannot be used: allowed_domains/)
    expect(broken?.open).toBeUndefined()
    expect(warnings).toHaveLength(1)
  })
})
