import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findingOf } from '../../demo/lines/fake-diagnostics.ts'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { emptyWorld, type World } from '../../demo/world.ts'
import { SettingsScreen } from './settings.tsx'

const broken = { status: 500, statusText: 'Internal Server Error' }

/** The settings that the tests handle, out of a hundred. */
const handled = [
  ...['backend', 'outbound_backend', 'inbound_backend', 'allowed_hosts', 'port', 'database_url', 'storage_backend'],
  ...['s3_bucket', 's3_region', 's3_prefix', 's3_endpoint_url', 's3_kms_key_id', 'asterisk_inbound_secret'],
]

async function open(world: World = emptyWorld(), page = 'general') {
  world.describedSettings = handled
  const at = { place: 'settings/settings', open: `page-${page}` }
  const shown = renderScreen(<SettingsScreen />, { world, at })
  await screen.findByLabelText('Search settings')
  return shown
}
function restartable(): World {
  const world = emptyWorld()
  world.config = { ...world.config, allow_restart: true }
  return world
}
const section = (name: string) => within(screen.getByRole('region', { name }))
const press = (name: string) => screen.getByRole('button', { name })

describe('a restart', () => {
  it('is offered only where it is allowed', async () => {
    await open()
    expect(screen.queryByRole('button', { name: 'Save & Restart' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Restart API' })).toBeNull()
  })

  it('comes after asking', async () => {
    const { user, world } = await open(restartable())
    await user.click(press('Restart API'))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Restart' }))
    await screen.findByText('Restarting')
    expect(world.restarts).toBe(1)
    expect(world.settingsFile).toBeUndefined()
  })

  it('comes after what is unsaved is applied and written', async () => {
    const { user, world } = await open(restartable(), 'security')
    await user.type(screen.getByLabelText('Allowed host names'), 'fax.lan')
    await user.click(press('Save & Restart'))
    const question = within(screen.getByRole('dialog', { name: 'Save and restart the gateway?' }))
    question.getByText(/One unsaved change is applied first\./)
    await user.click(question.getByRole('button', { name: 'Save & Restart' }))
    await screen.findByText('Restarting')
    expect(world.settings.saved).toEqual({ allowed_hosts: 'fax.lan' })
    expect(world.settingsFile).toContain('ALLOWED_HOSTS=fax.lan')
    expect(world.restarts).toBe(1)
  })

  it('is advised when the gateway says so, until it is dismissed', async () => {
    const { user } = await open(emptyWorld(), 'advanced')
    await user.clear(screen.getByLabelText('Port'))
    await user.type(screen.getByLabelText('Port'), '9090')
    await user.click(press('Apply & Reload'))
    await screen.findByText(/Restart needed: Port\./)
    await user.click(press('Dismiss'))
    expect(screen.queryByText(/Restart needed/)).toBeNull()
  })

  it.each([
    ['Outbound provider', 'Sinch', 'general'],
    ['Storage', 'S3', 'storage'],
  ])('is mentioned after %s was changed', async (label, choice, page) => {
    const { user } = await open(emptyWorld(), page)
    await user.selectOptions(screen.getByRole('combobox', { name: label }), choice)
    await user.click(press('Apply & Reload'))
    await screen.findByText(new RegExp(`Backend or storage changed: ${label}\\.`))
  })
})

describe('storage in S3', () => {
  async function withS3(world = emptyWorld()) {
    saveSettings(world, { storage_backend: 's3', s3_bucket: 'faxes' })
    const shown = await open(world, 'storage')
    return { ...shown, check: () => shown.user.click(press('Validate S3')) }
  }
  /** What the diagnostics say of storage: findings, and the kind of storage when they know it. */
  function reported(world: World, findings: World['findings']): World {
    world.findings = findings
    return world
  }

  it('is set up only where it is chosen', async () => {
    const { user } = await open(emptyWorld(), 'storage')
    expect(screen.queryByLabelText('S3 bucket')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Validate S3' })).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Storage' }), 'S3')
    for (const label of ['S3 bucket', 'S3 region', 'S3 prefix', 'S3 endpoint', 'S3 KMS key'])
      screen.getByLabelText(label)
    press('Validate S3')
    screen.getByText(/Unsaved changes are not tested/)
  })

  it('passes when a document could be stored', async () => {
    const { check } = await withS3()
    await check()
    await screen.findByText('S3 validation passed')
  })

  it('is incomplete with the reason otherwise', async () => {
    const sentence = 'Documents cannot be stored.'
    const finding = findingOf('storage', 'accessible', { sentence, detail: 'Access Denied' })
    const { check } = await withS3(reported(emptyWorld(), [finding]))
    await check()
    await screen.findByText('S3 validation incomplete: Access Denied')
  })

  it('says of a bucket that is set and refuses documents why it cannot be used', async () => {
    const findings = [
      findingOf('storage', 'bucket_set', { passed: true }),
      findingOf('storage', 'accessible', { sentence: 'Documents cannot be stored.', detail: 'Access Denied' }),
    ]
    const { check } = await withS3(reported(emptyWorld(), findings))
    await check()
    await screen.findByText('S3 validation passed: the bucket is set. It can’t be used yet. Access Denied')
  })

  it('cannot be judged when the diagnostics say nothing of it', async () => {
    const { check } = await withS3(reported(emptyWorld(), []))
    await check()
    await screen.findByText(/Set ENABLE_S3_DIAGNOSTICS=true on the server/)
  })

  it('is not judged by the storage that is in force instead', async () => {
    const { user } = await open(emptyWorld(), 'storage')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Storage' }), 'S3')
    await user.click(press('Validate S3'))
    await screen.findByText(/S3 validation incomplete: the gateway stores documents on the local disk/)
  })
})

describe('the database', () => {
  it('is asked and switched where its address stands', async () => {
    await open(emptyWorld(), 'advanced')
    const part = within(screen.getByRole('heading', { name: 'Database' }).parentElement ?? document.head)
    part.getByLabelText('Database URL')
    part.getByRole('button', { name: 'Use persistent' })
    part.getByRole('button', { name: 'Check DB Status' })
  })

  it('is described as it is', async () => {
    const { user } = await open(emptyWorld(), 'advanced')
    await user.click(press('Check DB Status'))
    await screen.findByText(/"engine": "sqlite"/)
  })

  it('is switched to the persistent one after asking', async () => {
    const { user, world } = await open(emptyWorld(), 'advanced')
    await user.click(press('Use persistent'))
    const question = within(screen.getByRole('dialog', { name: 'Use the persistent database?' }))
    question.getByText('sqlite:////faxdata/faxdeck.db')
    await user.click(question.getByRole('button', { name: 'Use persistent' }))
    await screen.findByText(/Restart needed: Database URL\./)
    expect(world.settings.saved.database_url).toBe('sqlite:////faxdata/faxdeck.db')
  })
})

describe('a call that fails', () => {
  const alert = async () => within(await screen.findByRole('alert'))

  it('is named when the settings cannot be loaded, and tried again', async () => {
    const world = emptyWorld()
    world.describedSettings = handled
    world.failures.set('describeSettings', broken)
    const { user } = renderScreen(<SettingsScreen />, { world })
    const notice = await alert()
    notice.getByText('Failed to load settings')
    world.failures.clear()
    await user.click(notice.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('region', { name: 'Backend Configuration' })
  })

  it.each([
    ['getSettings', 'Failed to fetch settings'],
    ['listProviders', 'Failed to fetch provider traits'],
  ] as const)('is named when %s fails, beside the settings', async (call, sentence) => {
    const world = emptyWorld()
    world.failures.set(call, broken)
    await open(world)
    ;(await alert()).getByText(sentence)
  })

  it.each([
    ['exportSettings', 'Export .env', 'Failed to export settings', 'general'],
    ['persistSettings', 'Save .env to server', 'Failed to save on server', 'general'],
    ['reloadSettings', 'Apply & Reload', 'Failed to load settings', 'security'],
    ['getDbStatus', 'Check DB Status', 'Failed to load DB status', 'advanced'],
    ['updateSettings', 'Generate Internal secret', 'Failed to generate secret', 'receiving'],
  ] as const)('is named when %s fails', async (call, button, sentence, page) => {
    const world = emptyWorld()
    world.failures.set(call, broken)
    const { user } = await open(world, page)
    if (button === 'Apply & Reload') await user.type(screen.getByLabelText('Allowed host names'), 'fax.lan')
    await user.click(press(button))
    const notice = await alert()
    notice.getByText(sentence)
    notice.getByText('API Error: 500 Internal Server Error')
  })

  it('leaves what is entered when the settings cannot be applied', async () => {
    const world = emptyWorld()
    world.failures.set('updateSettings', 'offline')
    const { user } = await open(world, 'security')
    await user.type(screen.getByLabelText('Allowed host names'), 'fax.lan')
    await user.click(press('Apply & Reload'))
    const notice = await alert()
    notice.getByText('Failed to apply settings')
    expect(screen.getByLabelText<HTMLInputElement>('Allowed host names').value).toBe('fax.lan')
  })

  it.each(['updateSettings', 'persistSettings', 'restart'] as const)(
    'keeps the question of Save & Restart open when %s fails',
    async (call) => {
      const world = restartable()
      world.failures.set(call, broken)
      const { user } = await open(world, 'security')
      await user.type(screen.getByLabelText('Allowed host names'), 'fax.lan')
      await user.click(press('Save & Restart'))
      const question = within(screen.getByRole('dialog', { name: 'Save and restart the gateway?' }))
      await user.click(question.getByRole('button', { name: 'Save & Restart' }))
      await question.findByText('Failed to save and restart')
      expect(world.restarts).toBe(0)
    },
  )

  it('keeps the question about the database open', async () => {
    const world = emptyWorld()
    world.failures.set('updateSettings', broken)
    const { user } = await open(world, 'advanced')
    await user.click(press('Use persistent'))
    const question = within(screen.getByRole('dialog'))
    await user.click(question.getByRole('button', { name: 'Use persistent' }))
    await question.findByText('Failed to switch DB')
  })

  it('is named when S3 cannot be validated', async () => {
    const world = emptyWorld()
    saveSettings(world, { storage_backend: 's3' })
    world.failures.set('runDiagnostics', broken)
    const { user } = await open(world, 'storage')
    await user.click(press('Validate S3'))
    await waitFor(() => section('Storage').getByText('S3 validation failed'))
  })
})
