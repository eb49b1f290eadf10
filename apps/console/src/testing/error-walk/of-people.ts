/** Calls that are made without a key; what a person sees of their failures is looked at in `shell/sign-in.test.tsx`. */
export const withoutKey = [
  'getSignIn',
  'signIn',
  'startSingleSignOn',
  'finishSingleSignOn',
  'signInWithCode',
  'askForPasskey',
  'signInWithPasskey',
  'readInvitation',
  'acceptInvitation',
  'getAccount',
  'staySignedIn',
  'signOut',
  // Only people have an account: `screens/account/account.test.tsx`.
  'getFactors',
  'changePassword',
  'listOwnSessions',
  'endOwnSession',
  'endOtherSessions',
  'startTotp',
  'addTotp',
  'removeTotp',
  'startPasskey',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'acknowledgeReset',
  'renewRecoveryCodes',
  'confirmAccount',
  'askToConfirm',
  'confirmWithPasskey',
  // Only members open faxes with a reason: `shell/fax-access/fax-access.test.tsx`.
  'openFax',
  'findFaxesToOpen',
]

/** Calls that fail without a word. */
export const silent = {
  listOwnGroups: 'Without its answer groups have no name and no filter; faxes are shown as ever.',
  getEncryption: 'Without its answer no progress is shown beside the setting, which works as ever.',
}
