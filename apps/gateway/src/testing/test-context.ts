import type { GatewayContext } from '../base/context.ts'
import type { HomeWatch } from '../base/db/home.ts'
import { createMoments } from '../base/moments.ts'
import type { LiveSettings } from '../base/settings/live-settings.ts'
import type { DocumentKeys } from '../base/encryption/document-keys.ts'
import { DocumentMemory } from '../base/storage/document-memory.ts'
import type { SettingsInForce } from '../base/settings/settings.ts'

/** Settings that have these values; a test may replace `current`. */
export function fixedSettings(values: Partial<SettingsInForce>, more: Partial<LiveSettings> = {}): LiveSettings {
  return { current: () => values, onChange: () => () => undefined, ...more } as unknown as LiveSettings
}

const withoutEncryption = { isOn: async () => false } as unknown as DocumentKeys

const atHome = { from: undefined, question: undefined, settled: Promise.resolve() } as unknown as HomeWatch

/** A context with the parts that a test gives. Documents are not encrypted; any other part names itself when it is used. */
export function testContext(given: Partial<GatewayContext>): GatewayContext {
  const memory = new DocumentMemory(64 * 1024 * 1024)
  const parts: Partial<GatewayContext> = {
    documentKeys: withoutEncryption,
    memory,
    home: atHome,
    moments: createMoments(),
    ...given,
  }
  return new Proxy(parts, {
    get: (present, name) => {
      if (Reflect.has(present, name)) return Reflect.get(present, name) as unknown
      throw new Error(`The test gives no "${String(name)}".`)
    },
  }) as GatewayContext
}
