import {
  accountFinding,
  anyObject,
  type Answered,
  askProvider,
  basicAuthorization,
  type Check,
  fieldOf,
  type Finding,
  hasValue,
  type Host,
  needsSettings,
  notRun,
  type ProviderSettings,
  settingIsSet,
  type Verdict,
  verdictOf,
  readFields,
} from '@faxdeck/provider-kit'

const credentials = ['sinch_project_id', 'sinch_api_key', 'sinch_api_secret']

export const sinchChecks: readonly Check[] = [
  {
    name: 'auth_present',
    severity: 'critical',
    hint: 'The Sinch credentials are not complete: set project id, access key id and access key secret.',
    setting: 'sinch_project_id',
    run: (settings) => (isComplete(settings) ? { passed: true } : needsSettings),
  },
  settingIsSet('sinch_project_id', {
    name: 'project_id_set',
    hint: 'The Sinch project id is not set: copy it from the overview page of the Sinch dashboard.',
  }),
  settingIsSet('sinch_api_key', {
    name: 'api_key_set',
    hint: 'The Sinch access key id is not set: copy it from the Sinch dashboard, Settings, Access keys.',
  }),
  settingIsSet('sinch_api_secret', {
    name: 'api_secret_set',
    hint: 'The Sinch access key secret is not set: it is shown once when the key is made, so make a new key when it is lost.',
  }),
  {
    name: 'auth',
    severity: 'critical',
    hint: 'Sinch does not accept the access key: check the key id and its secret, and the sign-in method.',
    setting: 'sinch_api_key',
    run: signIn,
  },
  {
    name: 'auth_valid',
    severity: 'critical',
    hint: 'The Sinch project does not answer to this access key: check the project id, and set the Sinch base URL of your region.',
    setting: 'sinch_base_url',
    run: openProject,
  },
  {
    ...settingIsSet('sinch_inbound_basic_pass', {
      name: 'basic_auth_configured',
      hint: 'Faxes received through Sinch are refused without a webhook password: set one, and put it into the webhook address at Sinch.',
    }),
    inbound: true,
  },
]

const isComplete = (settings: ProviderSettings) => credentials.every((key) => hasValue(settings, key))

const name = 'Sinch'
const notSignedIn = ({ kind }: Verdict) =>
  notRun(kind === 'refused' ? 'Not run: Sinch refused the access key.' : 'Not run: Faxdeck could not sign in at Sinch.')
const granted = (body: unknown) => (readFields(body)?.text('access_token') ? true : undefined)
/** That a project is forbidden or not there is about the project. */
const ofProject = { name, accepts: anyObject, refusals: [403, 404] }

/** Whether the access key is good: a token was granted, or Basic was not refused. */
async function signIn(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  if (!isComplete(settings)) return needsSettings
  if (settings.sinch_auth_method === 'oauth') {
    const verdict = verdictOf(await askForToken(settings, host, signal), { name, accepts: granted })
    return accountFinding(verdict, name, 'sinch_auth_base_url')
  }
  const answered = await askForServices(settings, basicOf(settings), host, signal)
  const verdict = verdictOf(answered, ofProject)
  return isAboutProject(answered, verdict) ? { passed: true } : accountFinding(verdict, name, 'sinch_base_url')
}

const isAboutProject = (answered: Answered, { kind }: Verdict) =>
  kind === 'refused' && 'status' in answered && answered.status !== 401

/** Whether the project can be used with the access key. What keeps the sign-in from being tried is said there, once. */
async function openProject(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  if (!isComplete(settings)) return needsSettings
  if (settings.sinch_auth_method !== 'oauth') {
    const answered = await askForServices(settings, basicOf(settings), host, signal)
    const verdict = verdictOf(answered, ofProject)
    if (verdict.kind === 'accepted' || isAboutProject(answered, verdict)) return accountFinding(verdict, name)
    return notSignedIn(verdict)
  }
  const signedIn = await askForToken(settings, host, signal)
  const token = fieldOf(signedIn, 'access_token')
  if (typeof token !== 'string') return notSignedIn(verdictOf(signedIn, { name, accepts: granted }))
  const answered = await askForServices(settings, `Bearer ${token}`, host, signal)
  return accountFinding(verdictOf(answered, ofProject), name, 'sinch_base_url')
}

const basicOf = (settings: ProviderSettings) =>
  basicAuthorization(String(settings.sinch_api_key), String(settings.sinch_api_secret))

/** OAuth 2 client credentials, RFC 6749, 4.4. */
function askForToken(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Answered> {
  const form = { grant_type: 'client_credentials' }
  const url = String(settings.sinch_auth_base_url)
  return askProvider({ name: 'Sinch', url, authorization: basicOf(settings), form }, host, signal)
}

function askForServices(
  settings: ProviderSettings,
  authorization: string,
  host: Host,
  signal: AbortSignal,
): Promise<Answered> {
  const base = String(settings.sinch_base_url).replace(/\/+$/, '')
  const project = encodeURIComponent(String(settings.sinch_project_id))
  return askProvider(
    { name: 'Sinch', url: `${base}/projects/${project}/services?pageSize=1`, authorization },
    host,
    signal,
  )
}
