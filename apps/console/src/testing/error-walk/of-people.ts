const later = 'The console has no screen for people yet; the command line invites them.'

/** Calls about people. */
export const ofPeople = {
  getSignIn: later,
  signIn: later,
  readInvitation: later,
  acceptInvitation: later,
  getAccount: later,
  staySignedIn: later,
  signOut: later,
  changePassword: later,
  listOwnSessions: later,
  endOwnSession: later,
  listPeople: later,
  invitePerson: later,
  renewInvitation: later,
  updatePerson: later,
  endSessions: later,
}
