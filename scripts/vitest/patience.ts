import { vi } from 'vitest'

/** What a condition may take on a busy machine. A limit of a second would test the machine. */
const patienceMs = 120_000

type WaitFor = typeof vi.waitFor

const { waitFor } = vi
const patient: WaitFor = (ask, options) => {
  const asked = typeof options === 'number' ? { timeout: options } : options
  return waitFor(ask, { ...asked, timeout: Math.max(asked?.timeout ?? 0, patienceMs) })
}
vi.waitFor = patient
