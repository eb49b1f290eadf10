const spelled: Record<string, string> = Object.fromEntries(
  ['API', 'URL', 'HTTPS', 'PDF', 'TTL', 'AMI', 'ESL', 'KMS', 'ID'].map((word) => [word.toLowerCase(), word]),
)

/** What is said of a check of an account, with the provider's name. */
const accountWords: Readonly<Record<string, (provider: string) => string>> = {
  auth_present: () => 'Key set',
  auth: (provider) => `${provider} accepts the key`,
  auth_valid: (provider) => `${provider} accepts the project`,
}

/** A check of a provider in words: `auth` of Sinch is "Sinch accepts the key". */
export const checkWords = (check: string, provider: string): string =>
  accountWords[check]?.(provider) ?? wordsFor(check)

/** A name of the wire as people write it: "api_key_set" is "API key set". */
export function wordsFor(name: string): string {
  const text = name
    .split('_')
    .map((word) => spelled[word] ?? word)
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
