import type { ProviderAccess } from './access.ts'

/** Which line carries faxes. */
export interface OutboundState {
  /** Whether the built-in test line carries every fax. */
  testLine: boolean
  /** The name of a provider that is set up and gets no fax because of it. */
  bypassed: string | undefined
  /** Why the line in use cannot send. */
  problem: string | undefined
}

export const outboundStateOf = (providers: ProviderAccess): OutboundState => ({
  testLine: providers.outbound().kind === 'builtin',
  bypassed: providers.bypassed()?.name,
  problem: providers.problemOf(providers.outbound()),
})

/** Whether a backend is the built-in test line, which delivers nothing. */
export const isTestLine = (providers: Pick<ProviderAccess, 'find'>, backend: string): boolean =>
  providers.find(backend)?.kind === 'builtin'

/** Whether a fax, or an attempt at one, is only a test: with the test line, or with an account that sends nothing. */
export const isTestFax = (
  providers: Pick<ProviderAccess, 'find'>,
  { backend, is_test }: { backend: string; is_test: number | null },
): boolean => is_test === 1 || isTestLine(providers, backend)

/** What events say of what was only a test. */
export const ofTest = (isTest: boolean) => (isTest ? { test: true as const } : {})

/** What is so, and what to do, while the test line carries every fax although a provider is set up. */
export const testLineRemedy = (providerName: string): string =>
  `${providerName} is set up but not in use. To send real faxes, turn off the test line (FAX_DISABLED) under Settings.`

/** The same as a sentence by itself. */
export const testLineSentence = (providerName: string): string =>
  `Every fax goes to the test line, and nothing is actually sent. ${testLineRemedy(providerName)}`

/** What is so, and what to do, while the account in use sends nothing. */
export const testAccountSentence = (providerName: string): string =>
  `This account is in test mode: ${providerName} sends no real fax. To send real faxes, enter live credentials under Settings.`
