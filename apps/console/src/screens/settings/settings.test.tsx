import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { useSession } from '../../session/session.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { setWide } from '../../testing/screen-width.ts'
import { emptyWorld, type World } from '../../demo/world.ts'
import { SettingsScreen } from './settings.tsx'

const at = { place: 'settings/settings' }

/** The settings that the tests handle, out of a hundred. */
const handled = [
  ...[
    'backend',
    'outbound_backend',
    'next_outbound_backend',
    'inbound_backend',
    'fax_disabled',
    'inbound_enabled',
    'max_file_size_mb',
  ],
  ...[
    'public_api_url',
    'enforce_public_https',
    'allowed_hosts',
    'admin_allowed_cidrs',
    'trusted_proxies',
    'webhook_allowed_cidrs',
    'audit_log_enabled',
  ],
  ...['max_requests_per_minute', 'inbound_list_rpm', 'inbound_get_rpm', 'storage_backend', 's3_bucket', 'oauth_issuer'],
  ...['phaxio_api_key', 'ami_password', 'asterisk_inbound_secret', 'freeswitch_esl_port'],
]

/** Ways from elsewhere in the console. */
function Ways() {
  const { go } = useSession()
  return (
    <>
      <button type="button" onClick={() => go('jobs')}>
        To the jobs
      </button>
      <button type="button" onClick={() => go(at.place, { open: 's3_bucket' })}>
        To the bucket
      </button>
      <button type="button" onClick={() => go(at.place, { open: 'pdf_token_ttl_minutes' })}>
        To the fixed ones
      </button>
    </>
  )
}

const settingsPage = async (name: string) => {
  const pages = within(screen.getByRole('navigation', { name: 'Pages' }))
  await act(async () => pages.getByRole('button', { name: new RegExp(`^${name}`) }).click())
}

/** At a page, a section or a setting; General otherwise. */
async function open(world: World = emptyWorld(), target?: string) {
  world.describedSettings = handled
  return openAs(world, target)
}
async function openAs(world: World, target?: string) {
  const where = target === undefined ? at : { ...at, open: target }
  const shown = renderScreen(
    <>
      <Ways />
      <SettingsScreen />
    </>,
    { world, at: where },
  )
  await screen.findByLabelText('Search settings')
  return shown
}
const openAt = (page: string, world = emptyWorld()) => open(world, `page-${page}`)
const section = (name: string) => within(screen.getByRole('region', { name }))
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

describe('settings', () => {
  it('say how far the encryption of stored documents is, and nothing once it is done', async () => {
    const world = emptyWorld()
    world.encryption = { state: 'encrypting', documents_done: 1200, documents_total: 4000, problem: null }
    await openAt('storage', world)
    await screen.findByText('Stored documents are being encrypted: 1,200 of 4,000.')
    world.encryption = { ...world.encryption, state: 'done' }
    await waitFor(() => expect(screen.queryByText(/Stored documents are/)).toBeNull(), { timeout: 4000 })
  })

  it('stand on pages in their sections, providers in their own, as the gateway describes them', async () => {
    await openAs(emptyWorld())
    const pages = within(screen.getByRole('navigation', { name: 'Pages' })).getAllByRole('button')
    const titles = []
    for (const { textContent: page } of pages) {
      await settingsPage(page)
      titles.push([page, ...[...document.querySelectorAll('h2')].map((heading) => heading.textContent)])
      if (page === 'Security') section('Security Settings').getByLabelText('Public API URL')
      if (page === 'Receiving') screen.getByRole('combobox', { name: 'Verify faxes received through Phaxio' })
      if (page === 'Advanced') section('Advanced').getByLabelText('Database URL')
      expect(screen.queryByLabelText('OAuth issuer')).toBeNull()
    }
    expect(titles).toEqual([
      ['General', 'Backend Configuration', 'Feature Flags'],
      ['Sending', 'Sending'],
      ['Receiving', 'Inbound Receiving'],
      ['Providers', 'Phaxio', 'Sinch', 'My own SIP trunk', 'Asterisk (SIP)', 'FreeSWITCH'],
      ['Security', 'Security Settings', 'VPN Tunnel'],
      ['Sign-in', 'Sign-in', 'Single sign-on'],
      ['Storage', 'Storage'],
      ['Advanced', 'Advanced'],
      ['faxdeck.env', 'faxdeck.env'],
    ])
  })

  it('of single sign-on are folded until it is set up', async () => {
    const world = emptyWorld()
    await openAs(world, 'page-sign-in')
    const fold = () => screen.getByRole('heading', { name: 'Single sign-on' }).closest('details')
    expect(fold()?.open).toBe(false)
    saveSettings(world, { oidc_issuer: 'https://login.example.org', oidc_client_id: 'faxdeck' })
    act(() => screen.getByRole('button', { name: 'Refresh' }).click())
    await waitFor(() => expect(fold()?.open).toBe(true))
  })

  it('name one sender alone while the test line takes everything', async () => {
    const world = emptyWorld()
    world.config.hybrid = { ...world.config.hybrid, outbound: 'testline' }
    const { user } = await openAs(world, 'page-providers')
    const chips = () => screen.getByRole('heading', { name: 'Phaxio' }).closest('summary')?.textContent
    await waitFor(() => expect(chips()).toContain('Receives'))
    expect(chips()).not.toContain('Sends')
    saveSettings(world, { fax_disabled: false })
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(chips()).toContain('Sends'))
  })

  it('keep the fixed ones and the remote install from being changed', async () => {
    await openAs(emptyWorld())
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Remote plugin install' }).disabled).toBe(true)
    act(() => screen.getByRole('button', { name: 'To the fixed ones' }).click())
    for (const label of ['Document link (minutes)', 'Received document link (minutes)']) {
      expect([field(label).disabled, field(label).value]).toEqual([true, '60'])
    }
  })

  it('are kept from page to page, counted with their pages, applied together, secrets among them, and reloaded', async () => {
    const { user, world } = await openAt('providers')
    await user.type(field('Phaxio API key'), 'a-key')
    screen.getByText('1 unsaved change on Providers')
    await settingsPage('Security')
    await user.click(screen.getByRole('switch', { name: 'Audit log file' }))
    await settingsPage('Advanced')
    await user.clear(field('Largest upload (MB)'))
    await user.type(field('Largest upload (MB)'), '25')
    screen.getByText('3 unsaved changes on Providers, Security, and Advanced')
    screen.getByRole('button', { name: /^Security\s?1\s?unsaved$/ })
    await settingsPage('Providers')
    expect(field('Phaxio API key').value).toBe('a-key')
    await user.click(screen.getByRole('button', { name: 'Apply & Reload' }))
    await screen.findByText('All changes saved.')
    expect(world.settings.saved).toEqual({ phaxio_api_key: 'a-key', audit_log_enabled: true, max_file_size_mb: 25 })
    expect(field('Phaxio API key').value).toBe('')
    expect(field('Phaxio API key').placeholder).toBe('Configured')
    expect(document.body.textContent).not.toContain('a-key')
  })

  it.each(['Control', 'Meta'])('are saved with %s and S, also from a field', async (key) => {
    const { user, world } = await openAt('security')
    await user.clear(field('Public API URL'))
    await user.type(field('Public API URL'), 'https://fax.example.org')
    await user.keyboard(`{${key}>}s{/${key}}`)
    await waitFor(() => expect(world.settings.saved).toEqual({ public_api_url: 'https://fax.example.org' }))
  })

  describe('with a provider that Set Active chose', () => {
    const openMarked = async () => {
      const world = emptyWorld()
      saveSettings(world, { next_outbound_backend: 'sinch' })
      const shown = await open(world)
      screen.getByText('Not in use yet: Outbound provider: Phaxio to Sinch')
      const apply = () => shown.user.click(screen.getByRole('button', { name: 'Apply & Reload' }))
      return { ...shown, apply }
    }

    it('ask by its name in an Apply that is about something else', async () => {
      const { user, world, apply } = await openMarked()
      await settingsPage('Advanced')
      await user.clear(field('Largest upload (MB)'))
      await user.type(field('Largest upload (MB)'), '11')
      await apply()
      const question = within(await screen.findByRole('dialog', { name: 'Send through Sinch?' }))
      question.getByText(/Outbound provider: Phaxio to Sinch/)
      expect(world.settings.saved).toEqual({ next_outbound_backend: 'sinch' })
      await user.click(question.getByRole('button', { name: 'Apply & Reload' }))
      await screen.findByText('All changes saved.')
      expect(world.settings.saved).toEqual({ outbound_backend: 'sinch', max_file_size_mb: 11 })
    })

    it('forget it with Discard', async () => {
      const { user, world } = await openMarked()
      await user.click(screen.getByRole('button', { name: 'Discard' }))
      await screen.findByText('All changes saved.')
      expect(world.settings.saved).toEqual({})
    })

    it('let a choice on this screen count instead', async () => {
      const { user, apply } = await openMarked()
      await user.selectOptions(field('Outbound provider'), 'sip')
      await apply()
      expect(screen.queryByRole('dialog')).toBeNull()
    })
  })

  it('are not applied while nothing has changed', async () => {
    const { user } = await openAt('security')
    const apply = screen.getByRole<HTMLButtonElement>('button', { name: 'Apply & Reload' })
    expect(apply.disabled).toBe(true)
    await user.type(field('Public API URL'), 'x')
    expect(apply.disabled).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(apply.disabled).toBe(true)
  })

  it('are found by their words over all pages, and by whether they are changed', async () => {
    const { user, world } = await openAt('advanced')
    saveSettings(world, { max_file_size_mb: 20 })
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(field('Largest upload (MB)').value).toBe('20'))
    await user.click(screen.getByLabelText('Search settings'))
    await user.paste('largest UPLOAD')
    await screen.findByText('1 setting')
    section('Advanced').getByLabelText('Largest upload (MB)')
    expect(screen.queryByLabelText('Public API URL')).toBeNull()
    await user.clear(screen.getByLabelText('Search settings'))
    await user.click(screen.getByLabelText('Changed only'))
    await waitFor(() => expect(screen.queryByLabelText('Public API URL')).toBeNull())
    section('Advanced').getByLabelText('Largest upload (MB)')
    await user.click(screen.getByRole('button', { name: 'Show all settings' }))
    await screen.findByLabelText('Faxes sent per minute')
  })

  it('fall back to what the product says for what is no number', async () => {
    const { user, world } = await openAt('advanced')
    saveSettings(world, { max_file_size_mb: 20, max_requests_per_minute: 5, inbound_list_rpm: 5, inbound_get_rpm: 5 })
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(field('Largest upload (MB)').value).toBe('20'))
    const labels = [
      'Largest upload (MB)',
      'Faxes sent per minute',
      'Inbox lists per minute',
      'Received faxes read per minute',
    ]
    for (const label of labels) {
      await user.clear(field(label))
      await user.type(field(label), 'many')
    }
    await user.tab()
    expect(labels.map((label) => field(label).value)).toEqual(['10', '0', '30', '60'])
  })

  it('lead to the first that cannot be saved instead of saving any', async () => {
    const { user, world } = await openAt('advanced')
    await user.clear(field('Largest upload (MB)'))
    await user.type(field('Largest upload (MB)'), '99')
    await settingsPage('General')
    await user.click(screen.getByRole('button', { name: 'Apply & Reload' }))
    expect(document.activeElement).toBe(field('Largest upload (MB)'))
    expect(world.settings.saved).toEqual({})
  })

  describe('that the gateway refuses', () => {
    const said = '"nowhere" is not an address or a network such as 10.1.0.0/16.'
    async function refused() {
      const shown = await openAt('security')
      await shown.user.type(field('Admin networks'), 'nowhere')
      await shown.user.type(field('Trusted proxies'), 'nowhere')
      await settingsPage('General')
      await shown.user.click(screen.getByRole('button', { name: 'Apply & Reload' }))
      return { ...shown, alert: within(await screen.findByRole('alert')) }
    }

    it('are named by their labels in one line each, with the way to the field on its page', async () => {
      const { user, alert } = await refused()
      expect(alert.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        `Admin networks: ${said}Go to field`,
        `Trusted proxies: ${said}Go to field`,
      ])
      await user.click(alert.getByRole('button', { name: 'Go to field: Trusted proxies' }))
      expect(document.activeElement).toBe(field('Trusted proxies'))
      expect(section('Security Settings').getAllByText(said)).toHaveLength(2)
    })

    it('are said no more once they are changed or discarded', async () => {
      const { user, alert } = await refused()
      await user.click(alert.getByRole('button', { name: 'Go to field: Admin networks' }))
      await user.keyboard('!')
      expect(alert.getAllByRole('listitem')).toHaveLength(1)
      await user.click(screen.getByRole('button', { name: 'Discard' }))
      expect(screen.queryByRole('alert')).toBeNull()
    })
  })

  it('warn of the default password until it is changed', async () => {
    const { user } = await openAt('providers')
    const panel = section('Asterisk (SIP)')
    panel.getByText('Must change default password!')
    await user.type(panel.getByLabelText('AMI password'), 'much-better')
    expect(panel.queryByText('Must change default password!')).toBeNull()
  })

  it('keep what is entered through a refresh, and lose it by Load Settings only when the person agrees', async () => {
    const { user } = await openAt('security')
    await user.type(field('Allowed host names'), 'fax.lan')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(field('Allowed host names').value).toBe('fax.lan')
    await user.click(screen.getAllByRole('button', { name: 'Load Settings' })[0] as HTMLElement)
    const question = screen.getByRole('dialog', { name: 'Reload the settings?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(field('Allowed host names').value).toBe('fax.lan')
    await user.click(screen.getAllByRole('button', { name: 'Load Settings' })[0] as HTMLElement)
    await user.click(screen.getByRole('button', { name: 'Load' }))
    expect(field('Allowed host names').value).toBe('')
  })

  it('ask before they are left with something unsaved', async () => {
    const { user } = await openAt('security')
    await user.type(field('Allowed host names'), 'fax.lan')
    await user.click(screen.getByRole('button', { name: 'To the jobs' }))
    const question = screen.getByRole('dialog', { name: 'Leave with unsaved changes?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(history.state).toEqual({ ...at, open: 'page-security' })
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
  })
})

describe('the way to a setting', () => {
  it('ends at its field', async () => {
    await open(emptyWorld(), 'public_api_url')
    await waitFor(() => expect(document.activeElement).toBe(field('Public API URL')))
  })

  it('unfolds the provider that it belongs to', async () => {
    await open(emptyWorld(), 'freeswitch_esl_port')
    await waitFor(() => expect(document.activeElement).toBe(field('ESL port')))
    expect(field('ESL port').closest('details')?.open).toBe(true)
  })

  it('ends at a section, and at what decides about a setting that is of no use now', async () => {
    const { user } = await open(emptyWorld(), 'security')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Security Settings'))
    await user.click(screen.getByRole('button', { name: 'To the bucket' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Storage' })))
  })

  it('goes on to the screen that has it', async () => {
    await open(emptyWorld(), 'oauth_issuer')
    await waitFor(() => expect(history.state).toEqual({ place: 'settings/mcp', open: 'oauth_issuer' }))
  })

  it('is gone back from page to page', async () => {
    await open()
    await settingsPage('Storage')
    expect(history.state).toEqual({ ...at, open: 'page-storage' })
    act(() => history.back())
    await screen.findByRole('heading', { name: 'Backend Configuration' })
  })
})

describe('on a small screen', () => {
  it('the pages are a menu, which says what is unsaved', async () => {
    setWide(false)
    const { user } = await open(emptyWorld(), 'public_api_url')
    await waitFor(() => expect(document.activeElement).toBe(field('Public API URL')))
    const menu = screen.getByRole('combobox', { name: 'Page' })
    await user.type(field('Public API URL'), 'x')
    within(menu).getByRole('option', { name: 'Security (1 unsaved)', selected: true })
    await user.selectOptions(menu, 'Advanced')
    await screen.findByLabelText('Largest upload (MB)')
    expect(screen.queryByLabelText('Public API URL')).toBeNull()
  })

  it('what was written on the server comes into view', async () => {
    setWide(false)
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Save .env to server' }))
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    await screen.findByText(/^Written to/)
  })
})

describe('the HTTPS warning', () => {
  const sentence =
    'ENFORCE_PUBLIC_HTTPS is enabled, but PUBLIC_API_URL is not HTTPS. Use an HTTPS URL or disable for non-PHI dev.'

  async function withUrl(url: string) {
    const world = emptyWorld()
    saveSettings(world, { fax_disabled: false, backend: 'phaxio', public_api_url: url })
    return open(world)
  }

  it('is shown while a cloud provider would fetch over plain HTTP, and goes with the switch', async () => {
    const { user } = await withUrl('http://fax.example.org')
    await screen.findByText(sentence)
    await user.click(screen.getByRole('button', { name: 'Go to the Public API URL' }))
    await waitFor(() => expect(document.activeElement).toBe(field('Public API URL')))
    await user.click(await screen.findByRole('switch', { name: 'Enforce HTTPS' }))
    expect(screen.queryByText(sentence)).toBeNull()
  })

  it.each(['https://fax.example.org', 'http://localhost:8080', 'http://127.0.0.1:8080'])(
    'lets %s pass',
    async (url) => {
      await withUrl(url)
      await settingsPage('Providers')
      await screen.findByText(/Phaxio cannot be used yet/)
      expect(screen.queryByText(sentence)).toBeNull()
    },
  )
})

describe('a secret of our own', () => {
  it('is drawn at random, saved at once and shown once', async () => {
    const { user, world } = await openAt('receiving')
    await user.click(screen.getByRole('button', { name: 'Generate Internal secret' }))
    const once = await screen.findByRole('dialog', { name: 'Internal secret' })
    const secret = String(world.settings.saved.asterisk_inbound_secret)
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    within(once).getByText(secret)
    await user.click(within(once).getByRole('button', { name: 'Copy secret' }))
    expect(await navigator.clipboard.readText()).toBe(secret)
    await user.click(within(once).getByRole('button', { name: 'Done' }))
    expect(document.body.textContent).not.toContain(secret)
  })

  it('is replaced only after asking', async () => {
    const world = emptyWorld()
    saveSettings(world, { asterisk_inbound_secret: 'the-present-one-of-some-length' })
    const { user } = await openAt('receiving', world)
    await user.click(screen.getByRole('button', { name: 'Generate Internal secret' }))
    const question = screen.getByRole('dialog', { name: 'Replace “Internal secret”?' })
    expect(world.settings.saved.asterisk_inbound_secret).toBe('the-present-one-of-some-length')
    await user.click(within(question).getByRole('button', { name: 'Replace' }))
    await screen.findByRole('dialog', { name: 'Internal secret' })
    expect(world.settings.saved.asterisk_inbound_secret).not.toBe('the-present-one-of-some-length')
  })
})

describe('the lines for a telephone switch', () => {
  it('carry the address of this gateway and leave the secret to the person', async () => {
    const { user } = await openAt('providers')
    const panel = section('Asterisk (SIP)')
    await user.click(panel.getByRole('button', { name: 'Copy Asterisk inbound dialplan' }))
    const copied = await navigator.clipboard.readText()
    expect(copied).toContain(`${location.origin}/_internal/asterisk/inbound`)
    expect(copied).not.toContain('{base_url}')
  })
})

describe('the .env file', () => {
  it('does not call back who has gone elsewhere before it came', async () => {
    await openAt('env')
    // In one go: no answer can come between.
    act(() => {
      screen.getByRole('button', { name: 'Export .env' }).click()
      screen.getByRole('button', { name: 'To the jobs' }).click()
    })
    const exporting = screen.getByRole('button', { name: 'Export .env' })
    await waitFor(() => expect(exporting.getAttribute('aria-busy')).toBeNull())
    expect(history.state).toEqual({ place: 'jobs' })
  })

  it('is exported without secrets unless they are asked for, copied and downloaded', async () => {
    const world = emptyWorld()
    saveSettings(world, { phaxio_api_secret: 'very-secret', inbound_list_rpm: 44 })
    const { user } = await open(world)
    await user.click(screen.getByRole('button', { name: 'Export .env' }))
    const text = await screen.findByLabelText<HTMLTextAreaElement>('Environment file')
    await waitFor(() => expect(text.value).toContain('INBOUND_LIST_RPM=44'))
    expect(text.value).not.toContain('very-secret')
    await user.click(section('faxdeck.env').getByRole('checkbox', { name: 'Include secrets' }))
    await waitFor(() => expect(text.value).toContain('PHAXIO_API_SECRET=very-secret'))
    await user.click(section('faxdeck.env').getByRole('button', { name: 'Copy faxdeck.env' }))
    expect(await navigator.clipboard.readText()).toBe(text.value)
  })

  it('is written on the server as it is in force, or as the person has changed it', async () => {
    const { user, world } = await open()
    await user.click(screen.getByRole('button', { name: 'Save .env to server' }))
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    await screen.findByText('Written to /srv/faxdeck/faxdata/faxdeck.env.')
    expect(world.settingsFile).toContain('FAX_DISABLED=true')
    await user.type(section('faxdeck.env').getByLabelText('Environment file'), 'INBOUND_LIST_RPM=9')
    await user.click(screen.getByRole('button', { name: 'Save .env to server' }))
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(world.settingsFile).toBe('INBOUND_LIST_RPM=9'))
  })
})
