const removed = '[removed]'
/** Shorter values are no secrets, and would be found in every other word. */
const shortestSecret = 6
const secretName = '[\\w.\\-\\[\\]]*(?:pass|secret|token|api_?key|signature|authorization)[\\w.\\-\\[\\]]*'
const inJson = new RegExp(`("${secretName}"\\s*:\\s*)"(?:\\\\.|[^"\\\\])*"`, 'gi')
const inForm = new RegExp(`((?:^|&)${secretName}=)[^&]*`, 'gi')
const inAddress = /(:\/\/)[^/\s"@]*@/g

/**
 * A notice of a provider as it may be kept and shown: without the secrets that are set here, without what is named like
 * one, and without the user and the password of addresses.
 */
export function withoutSecrets(notice: string, secrets: readonly unknown[]): string {
  let text = notice
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < shortestSecret) continue
    for (const spelling of [secret, encodeURIComponent(secret)]) text = text.replaceAll(spelling, removed)
  }
  return text.replace(inJson, `$1"${removed}"`).replace(inForm, `$1${removed}`).replace(inAddress, `$1${removed}@`)
}
