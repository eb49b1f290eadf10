import type { GatewayContext } from '../context.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { SettingsInForce } from '../settings/settings.ts'

/** Settings that have these values; a test may replace `current`. */
export function fixedSettings(values: Partial<SettingsInForce>, more: Partial<LiveSettings> = {}): LiveSettings {
  return { current: () => values, onChange: () => () => undefined, ...more } as unknown as LiveSettings
}

/** A context with the parts that a test gives. Any other part names itself when it is used. */
export function testContext(parts: Partial<GatewayContext>): GatewayContext {
  return new Proxy(parts, {
    get: (given, name) => {
      if (Reflect.has(given, name)) return Reflect.get(given, name) as unknown
      throw new Error(`The test gives no "${String(name)}".`)
    },
  }) as GatewayContext
}
