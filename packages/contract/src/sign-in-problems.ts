import type { Problem } from './problem.ts'

/** What keeps people from signing in, or from what their session does not allow yet. */
export const signInProblems = {
  sign_in_refused: {
    status: 403,
    title: 'Sign-in refused',
    sentence: 'The email address or the password is wrong.',
  },
  person_required: {
    status: 403,
    title: 'Person required',
    sentence: 'This is for people who signed in with their email address. You are using an API key.',
  },
  invitation_refused: {
    status: 403,
    title: 'Invitation refused',
    sentence: 'This link is wrong, was used or has expired. Ask your administrator for a new one.',
  },
  second_step_refused: {
    status: 403,
    title: 'Sign-in refused',
    sentence: 'The code is wrong or was already used. Wait for the next code and try again.',
  },
  sign_in_expired: {
    status: 403,
    title: 'Sign-in expired',
    sentence: 'This took too long, or was finished elsewhere. Start again.',
  },
  passkey_refused: {
    status: 403,
    title: 'Passkey refused',
    sentence: 'This passkey is not accepted here. Try another one, or sign in with your password.',
  },
  confirmation_required: {
    status: 403,
    title: 'Confirmation required',
    sentence: 'Confirm that it is you, with your password or a passkey, and try again.',
  },
  factor_required: {
    status: 403,
    title: 'Second factor required',
    sentence: 'Set up a passkey or an authenticator app first.',
  },
} as const satisfies Record<string, Problem>
