import type { GatewayContext } from '../context.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { DocumentKeys } from '../encryption/document-keys.ts'
import type { SettingsInForce } from '../settings/settings.ts'

/** Settings that have these values; a test may replace `current`. */
export function fixedSettings(values: Partial<SettingsInForce>, more: Partial<LiveSettings> = {}): LiveSettings {
  return { current: () => values, onChange: () => () => undefined, ...more } as unknown as LiveSettings
}

const withoutEncryption = { isOn: async () => false } as unknown as DocumentKeys

/** A context with the parts that a test gives. Documents are not encrypted; any other part names itself when it is used. */
export function testContext(given: Partial<GatewayContext>): GatewayContext {
  const parts: Partial<GatewayContext> = { documentKeys: withoutEncryption, ...given }
  return new Proxy(parts, {
    get: (present, name) => {
      if (Reflect.has(present, name)) return Reflect.get(present, name) as unknown
      throw new Error(`The test gives no "${String(name)}".`)
    },
  }) as GatewayContext
}
