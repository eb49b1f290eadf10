const screenless = 'The console has no screen for it yet; the command line and programs do it.'

/** Calls about emergency access that the console does not make. */
export const ofRetention = {
  openFax: screenless,
}
