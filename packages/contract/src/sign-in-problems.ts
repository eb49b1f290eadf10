import { problemsOf } from './problem.ts'

/** What keeps people from signing in, or from what their session does not allow yet. */
export const signInProblems = problemsOf(403, {
  sign_in_refused: ['Sign-in refused', 'The email address or the password is wrong.'],
  person_required: [
    'Person required',
    'This is for people who signed in with their email address. You are using an API key.',
  ],
  invitation_refused: [
    'Invitation refused',
    'This link is wrong, was used or has expired. Ask your administrator for a new one.',
  ],
  second_step_refused: [
    'Sign-in refused',
    'The code is wrong or was already used. Wait for the next code and try again.',
  ],
  sign_in_expired: ['Sign-in expired', 'This took too long, or was finished elsewhere. Start again.'],
  passkey_refused: [
    'Passkey refused',
    'This passkey is not accepted here. Try another one, or sign in with your password.',
  ],
  confirmation_required: [
    'Confirmation required',
    'Confirm that it is you, with your password or a passkey, and try again.',
  ],
  factor_required: ['Second factor required', 'Set up a passkey or an authenticator app first.'],
})
