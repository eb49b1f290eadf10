/**
 * What is sealed with the master key and stored: each text opens under its name only. Whoever seals something new names it
 * here, and a change of the master key (`upkeep/reseal.ts`) has to know where it is stored.
 */
export const sealNames = {
  savedSetting: (key: string) => key,
  fileLine: (key: string) => `file:${key}`,
  fingerprintKey: 'fingerprint key',
  wrappingKey: (id: string) => `wrapping key ${id}`,
  webhook: (endpointId: string) => `webhook:${endpointId}`,
  totp: (personId: string) => `totp ${personId}`,
  oidcLogin: 'oidc login',
  idToken: 'oidc id token',
}
