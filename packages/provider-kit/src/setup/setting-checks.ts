const e164Shape = /^\+[1-9]\d{6,14}$/
const hostShape = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i
const address6Shape = /^[0-9a-f:]*:[0-9a-f:.]*$/i

/**
 * Accepts a number in the form of ITU-T E.164, as SettingRow.check.
 * @returns a sentence when the value is something else
 */
export function checkE164(value: string): string | undefined {
  if (e164Shape.test(value)) return undefined
  return 'This is not a number in E.164 form: write a plus sign, the country code and the number, for example +15551234567.'
}

/**
 * Accepts a host name or an IP address, without scheme, port and path, as SettingRow.check.
 * @returns a sentence when the value is something else
 */
export function checkHost(value: string): string | undefined {
  if (hostShape.test(value) || address6Shape.test(value)) return undefined
  return 'This is not a host name: write it without https://, port and path, for example fax.example.com.'
}

/**
 * Accepts an address that credentials may be sent to: https, or http on this machine, without credentials in it; as SettingRow.check.
 * @returns a sentence when the value is something else
 */
export function checkWebAddress(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url) return 'This is not a web address: write it in full, for example https://fax.example.com/path.'
  if (url.username || url.password)
    return 'Leave the user and the password out of the address; they have settings of their own.'
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) return undefined
  return 'The address must begin with https://, so that nobody can read along in transit.'
}
