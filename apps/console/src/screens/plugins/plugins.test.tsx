import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addManifest } from '../../demo/installation/fake-plugins.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { emptyWorld, type World } from '../../demo/world.ts'
import { sampleManifest } from './manifest-text.ts'
import { PluginsScreen } from './plugins.tsx'

const at = { place: 'tools/plugins' }
const refusal = { status: 500, statusText: 'Internal Server Error' }

function worldWithPlugins(): World {
  const world = emptyWorld()
  world.config.v3_plugins.enabled = true
  return world
}

const show = (world = worldWithPlugins()) => renderScreen(<PluginsScreen />, { world, at })
const card = (name: string) => screen.findByRole('listitem', { name })
const press = async (user: ReturnType<typeof show>['user'], name: string) =>
  user.click(await screen.findByRole('button', { name }))

async function openFold(user: ReturnType<typeof show>['user'], title: string) {
  await user.click(await screen.findByRole('heading', { name: title }))
}

describe('plugins', () => {
  it('that are switched off say so, and lead to the switch', async () => {
    const { user } = renderScreen(<PluginsScreen />, { world: emptyWorld(), at })
    screen.getByText('v3 plugins are disabled')
    await press(user, 'Open Feature Flags')
    expect(history.state).toMatchObject({ place: 'settings/settings', open: 'feature_v3_plugins' })
  })

  it('are shown with what they are, and Documo as a preview where it is not there', async () => {
    show()
    within(await card('Phaxio')).getByText('Enabled, active')
    within(await card('Phaxio')).getByText('Outbound: sends, reports status.')
    expect(within(await card('Phaxio')).queryByRole('button', { name: /Set Active/ })).toBeNull()
    within(await card('Documo mFax')).getByText('Preview')
    within(await card('S3 storage')).getByText('Managed by server')
    const discover = screen.getByRole('region', { name: 'Discover' })
    expect(within(discover).getByRole('button', { name: 'Install Disabled: FAX.PLUS' })).toHaveProperty(
      'disabled',
      true,
    )
    expect(within(discover).queryByText('Phaxio')).toBeNull()
  })

  it('are found by the search, in the registry too', async () => {
    const { user } = show()
    await card('Phaxio')
    await user.type(screen.getByRole('searchbox'), 'fax.plus')
    screen.getByText('FAX.PLUS')
    for (const name of ['Phaxio', 'S3 storage']) expect(screen.queryByRole('listitem', { name })).toBeNull()
    screen.getByText('No outbound provider matches the search.')
  })

  it('are set active for the next reload, and not before', async () => {
    const { user, world } = show()
    await press(user, 'Set Active: Sinch')
    within(await card('Sinch')).getByText('Active after reload')
    screen.getByText('Sinch is selected in the configuration.')
    const sends = () => world.plugins.find(({ plugin }) => plugin.active)?.plugin.id
    await press(user, 'Apply & Reload')
    const question = within(await screen.findByRole('dialog', { name: 'Send through Sinch?' }))
    question.getByText(/Outbound provider: Phaxio to Sinch/)
    expect(sends()).toBe('phaxio')
    await user.click(question.getByRole('button', { name: 'Apply & Reload' }))
    await waitFor(() => expect(sends()).toBe('sinch'))
    within(await card('Phaxio')).getByText('Ready')
  })

  it('that are not set up say so, and cannot be set active', async () => {
    show()
    const sip = within(await card('SIP / Asterisk'))
    sip.getByText('Not set up')
    const button = sip.getByRole('button', { name: 'Set Active: SIP / Asterisk', description: /AMI password/ })
    expect(button).toHaveProperty('disabled', true)
    within(await card('Sinch')).getByText('Ready')
  })

  it('say when they could not be set active, or not be loaded', async () => {
    const world = worldWithPlugins()
    world.failures.set('updatePluginConfig', refusal)
    const { user } = show(world)
    await press(user, 'Set Active: Sinch')
    within(await screen.findByRole('alert')).getByText('Failed to save configuration')
    world.failures.set('listPlugins', refusal)
    await press(user, 'Refresh')
    await screen.findByText('Failed to load plugins')
  })
})

describe('the configuration of a plugin', () => {
  const open = async (name: string, world = worldWithPlugins()) => {
    const shown = show(world)
    await press(shown.user, `Configure ${name}`)
    return { ...shown, dialog: await screen.findByRole('dialog', { name: `Configure ${name}` }) }
  }

  it('saves what was entered, by the plugin’s own names', async () => {
    const { user, world } = await open('Phaxio')
    await user.type(await screen.findByLabelText('Callback URL'), 'https://fax.example.test/cb')
    await user.click(screen.getByLabelText('Verify callbacks'))
    await press(user, 'Save')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [phaxio] = world.plugins
    expect(phaxio?.fields.map(({ setting }) => setting.value)).toEqual(['https://fax.example.test/cb', false])
  })

  it('marks the plugin by its switch', async () => {
    const { user, world } = await open('Sinch')
    await user.click(await screen.findByRole('switch', { name: 'Enable plugin' }))
    await press(user, 'Save')
    await waitFor(() => expect(world.plugins.find(({ plugin }) => plugin.id === 'sinch')?.plugin.enabled).toBe(true))
  })

  it('leaves to the server which storage is used, and says where a plugin without fields is set up', async () => {
    const { user } = await open('S3 storage')
    expect(await screen.findByRole('switch')).toHaveProperty('disabled', true)
    for (const name of ['bucket', 'region', 'prefix', 'endpoint_url', 'kms_key_id']) screen.getByLabelText(`S3 ${name}`)
    await press(user, 'Cancel')
    await press(user, 'Configure SIP / Asterisk')
    await press(user, 'Go to Settings')
    expect(history.state).toMatchObject({ place: 'settings/settings' })
  })

  it('says when it could not be loaded or saved', async () => {
    const world = worldWithPlugins()
    world.failures.set('getPluginConfig', refusal)
    world.failures.set('updatePluginConfig', refusal)
    const { user } = await open('Sinch', world)
    await screen.findByText('Failed to load plugin config')
    world.failures.delete('getPluginConfig')
    await press(user, 'Retry')
    await user.type(await screen.findByLabelText('Project ID'), 'p-1')
    await press(user, 'Save')
    await screen.findByText('Failed to save plugin config')
    expect(screen.getByLabelText<HTMLInputElement>('Project ID').value).toBe('p-1')
  })
})

describe('the manifest tester', () => {
  const open = async (world = worldWithPlugins()) => {
    const shown = show(world)
    await openFold(shown.user, 'HTTP Manifest Tester')
    const enter = async (text: string) => {
      await shown.user.clear(screen.getByLabelText('Manifest (JSON)'))
      await shown.user.click(screen.getByLabelText('Manifest (JSON)'))
      await shown.user.paste(text)
    }
    return { ...shown, enter }
  }

  it('shows what a manifest is, the requests it would make, and installs it', async () => {
    const { user, world } = await open()
    await press(user, 'Start from a sample')
    await press(user, 'Validate')
    await screen.findByText('Can be installed, with warnings')
    await press(user, 'Dry-run Send')
    await screen.findByText(/Nothing was sent/)
    screen.getByText(/Authorization: Bearer \*\*\*/)
    screen.getByText(/to: \+15551234567/)
    await press(user, 'Install')
    await screen.findByText('acme-fax is installed.')
    await card('Acme Fax')
    expect(world.plugins.at(-1)?.plugin.id).toBe('acme-fax')
  })

  it('shows the parser’s words for what is no JSON, and asks nobody', async () => {
    const world = worldWithPlugins()
    world.failures.set('validateManifest', 'offline')
    const { user, enter } = await open(world)
    await enter('{"id": acme}')
    await press(user, 'Validate')
    screen.getByText(/^This is not JSON\./)
    expect(screen.queryByText('Validate failed')).toBeNull()
  })

  it('names what failed', async () => {
    const world = worldWithPlugins()
    world.failures.set('validateManifest', refusal)
    world.failures.set('installManifest', refusal)
    const { user } = await open(world)
    await press(user, 'Start from a sample')
    for (const [button, sentence] of [
      ['Validate', 'Validate failed'],
      ['Dry-run Send', 'Dry-run failed'],
      ['Install', 'Install failed'],
    ] as const) {
      await press(user, button)
      await screen.findByText(sentence)
    }
  })

  it('reads a file, and refuses a large one', async () => {
    const { user } = await open()
    const [chooser] = screen.getAllByLabelText('From a file')
    if (!chooser) throw new Error('There is no chooser.')
    await user.upload(chooser, new File(['x'.repeat(256 * 1024 + 1)], 'large.json', { type: 'application/json' }))
    await screen.findByText('“large.json” is larger than 256 KB. Choose a smaller file.')
    await user.upload(chooser, new File([sampleManifest], 'acme.json', { type: 'application/json' }))
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLTextAreaElement>('Manifest (JSON)').value).toBe(sampleManifest),
    )
  })
})

describe('the bulk import', () => {
  const open = async (world = worldWithPlugins()) => {
    const shown = show(world)
    await openFold(shown.user, 'Bulk Import')
    return shown
  }
  const items = [{ id: 'one-fax', name: 'One', actions: {} }, { color: 'red' }]

  it('tries without installing, then installs, and says what was refused', async () => {
    const { user, world } = await open()
    const before = world.plugins.length
    await user.click(screen.getByLabelText('Manifests'))
    await user.paste(JSON.stringify(items))
    await press(user, 'Test Add')
    await screen.findByText(/1 manifest can be installed, 1 refused/)
    expect(world.plugins).toHaveLength(before)
    await press(user, 'Import')
    await screen.findByText(/1 manifest was installed, 1 refused/)
    screen.getByText(/Found: color/)
    await card('One')
  })

  it('names what failed', async () => {
    const world = worldWithPlugins()
    const { user } = await open(world)
    await press(user, 'Import from repo scrape')
    await screen.findByText('Import from repo failed')
    screen.getByText(/Put manifests into the folder plugin-manifests/)
    world.failures.set('importManifests', refusal)
    await user.type(screen.getByLabelText('Manifests'), 'text')
    await press(user, 'Test Add')
    await screen.findByText('Test add failed')
    await press(user, 'Import')
    await screen.findByText('Import failed')
  })
})

it('removes an installed manifest after asking', async () => {
  const world = worldWithPlugins()
  addManifest(world, { id: 'acme-fax', name: 'Acme Fax', actions: {} })
  const { user } = show(world)
  await press(user, 'Remove Acme Fax')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'Acme Fax' })).toBeNull())
})
