const screenless = 'The console has no screen for it yet; the command line and programs do it.'

/** Calls about holds, retention and emergency access that the console does not make. */
export const ofRetention = {
  listHolds: screenless,
  placeHold: screenless,
  liftHold: screenless,
  getRetention: screenless,
  setRetention: screenless,
  listDeletions: screenless,
}
