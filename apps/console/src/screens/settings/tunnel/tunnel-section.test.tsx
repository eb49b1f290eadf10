import { act, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { emptyWorld } from '../../../demo/world.ts'
import { TunnelSection } from './tunnel-section.tsx'

afterEach(() => void vi.useRealTimers())

async function open(world = emptyWorld()) {
  const shown = renderScreen(<TunnelSection />, { world })
  const section = within(screen.getByRole('region', { name: 'VPN Tunnel' }))
  await section.findByText('Type')
  return { ...shown, section }
}

describe('the VPN Tunnel section', () => {
  it('says that tunnels are not managed here, and claims none', async () => {
    const { section } = await open()
    section.getByText(/Tunnel management is not active in this build/)
    section.getByText('Disabled')
    expect(section.queryByText('Connected')).toBeNull()
  })

  it('keeps which tunnel runs beside it, and says what is seen of it', async () => {
    const { section, user, world } = await open()
    const save = section.getByRole('button', { name: 'Save tunnel' })
    expect(save).toHaveProperty('disabled', true)
    await user.selectOptions(section.getByLabelText('Tunnel'), 'WireGuard')
    await user.click(save)
    await section.findByText(/No wireguard interface is up/)
    section.getByText('Not detected')
    expect(world.tunnel).toEqual({ enabled: true, provider: 'wireguard' })
  })

  it('tests the public address', async () => {
    const { section, user } = await open()
    await user.click(section.getByRole('button', { name: 'Test' }))
    await section.findByText('Not reachable')
    section.getByText(/localhost:8080 can’t be reached/)
  })

  it('makes a pairing code, counts down its five minutes, and takes it away', async () => {
    const { section, user } = await open()
    await user.click(section.getByRole('button', { name: 'Create a pairing code' }))
    const first = (await section.findByLabelText('Pairing code')).textContent
    expect(first).toMatch(/^[0-9A-F]{5}-[0-9A-F]{5}$/)
    expect(section.getByRole('timer').textContent).toMatch(/^Valid for (5:00|4:59)$/)
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    await user.click(section.getByRole('button', { name: 'Create another code' }))
    await vi.waitFor(() => expect(section.getByLabelText('Pairing code').textContent).not.toBe(first))
    act(() => void vi.advanceTimersByTime(60_000))
    expect(section.getByRole('timer').textContent).toMatch(/^Valid for (4:00|3:59)$/)
    act(() => void vi.advanceTimersByTime(241_000))
    section.getByText('The code has expired.')
    expect(section.queryByLabelText('Pairing code')).toBeNull()
  })

  it.each([
    ['getTunnelStatus', undefined, 'Failed to fetch the tunnel status'],
    ['testTunnel', 'Test', 'Failed to test the tunnel'],
    ['pairTunnel', 'Create a pairing code', 'Failed to create a pairing code'],
  ] as const)('says when %s fails', async (call, button, sentence) => {
    const world = emptyWorld()
    world.failures.set(call, { status: 500, statusText: 'Internal Server Error' })
    const { user } = renderScreen(<TunnelSection />, { world })
    if (button) await user.click(screen.getByRole('button', { name: button }))
    const alert = await screen.findByRole('alert')
    within(alert).getByText(sentence)
    within(alert).getByText('API Error: 500 Internal Server Error')
  })
})
