/** What the environment says about the gateway; an empty variable says nothing. */
export const environment = {
  url: () => process.env['FAXDECK_URL'] || undefined,
  apiKey: () => process.env['FAXDECK_API_KEY'] || undefined,
}
