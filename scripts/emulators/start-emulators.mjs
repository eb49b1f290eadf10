import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { providers } from '../../packages/providers/src/registry.ts'

const emulatorOf = (id) => new URL(`../../packages/providers/src/${id}/emulator.ts`, import.meta.url)

/**
 * Starts the emulator of every provider of the registry that has one.
 * @param {import('../../packages/provider-kit/src/emulator/index.ts').EmulatorOptions} options
 * @returns {Promise<{ provider: import('../../packages/provider-kit/src/index.ts').Provider, emulator: import('../../packages/provider-kit/src/emulator/index.ts').Emulator }[]>}
 */
export async function startEmulators(options) {
  const running = []
  for (const provider of providers) {
    const file = emulatorOf(provider.id)
    if (!existsSync(fileURLToPath(file))) continue
    const { emulate } = await import(file.href)
    running.push({ provider, emulator: await emulate(options) })
  }
  return running
}
