const variable = (name: string) =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined

/** What the environment says about the gateway; an empty variable says nothing, and a browser has none. */
export const environment = {
  url: () => variable('FAXDECK_URL'),
  apiKey: () => variable('FAXDECK_API_KEY'),
}
