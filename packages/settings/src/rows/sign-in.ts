import { checkUrl, hostNames } from '../checks.ts'
import { choicesOf, settingRows } from '../row.ts'

const isIssuer = (value: string): string | undefined => {
  const fault = checkUrl('https', 'http')(value)
  if (fault !== undefined) return fault
  const { protocol, hostname, search, hash } = new URL(value)
  if (search || hash) return 'Enter the issuer alone, without ? and #.'
  const isHere = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
  return protocol === 'http:' && !isHere
    ? 'Use https://. Plain http:// is only for a provider on this machine.'
    : undefined
}

/** The role behind the last "=" of each item: names of groups may have one themselves. */
const isMapping = (value: string): string | undefined =>
  value.split(';').every((item) => /^.*\S.*=\s*[a-z]+\s*$/.test(item.trim()))
    ? undefined
    : 'Enter pairs like “Fax admins=administrator; Fax desk=operator”.'

/** Single sign-on: who vouches for people, and what they may do then. */
export const signInRows = settingRows({ group: 'single_sign_on', at: 'security.oidc' }, [
  {
    opensAccess: true,
    type: 'text',
    key: 'oidc_issuer',
    label: 'Single sign-on: issuer',
    help: 'The address of the OpenID Connect provider. Leave blank to turn single sign-on off.',
    placeholder: 'https://login.microsoftonline.com/TENANT/v2.0',
    check: isIssuer,
  },
  {
    opensAccess: true,
    type: 'text',
    key: 'oidc_client_id',
    label: 'Single sign-on: client ID',
    help: 'The ID that the provider gave this gateway. Register the address of the console there as the redirect URI.',
  },
  {
    type: 'secret',
    key: 'oidc_client_secret',
    label: 'Single sign-on: client secret',
    help: 'Leave blank for a public client.',
  },
  {
    type: 'text',
    key: 'oidc_label',
    label: 'Single sign-on: name on the button',
    help: 'The login shows “Sign in with” and this name.',
    default: 'single sign-on',
    placeholder: 'Clinic account',
    check: (value) => (value.length > 40 ? 'Enter at most 40 characters.' : undefined),
  },
  {
    opensAccess: true,
    type: 'text',
    key: 'oidc_domains',
    label: 'Single sign-on: email domains',
    help: 'Only people whose verified email address is in one of these domains, separated by commas. Leave blank for all.',
    placeholder: 'clinic.example',
    check: hostNames,
  },
  {
    opensAccess: true,
    type: 'switch',
    key: 'oidc_create',
    label: 'Single sign-on: create accounts',
    help: 'People without an account get one at their first sign-in. When off, an administrator invites them first.',
    default: false,
  },
  {
    opensAccess: true,
    type: 'text',
    key: 'oidc_role_claim',
    label: 'Single sign-on: claim with groups or roles',
    help: 'Roles follow this claim at every sign-in. Use dots for nested claims: realm_access.roles. Leave blank to set roles here.',
    placeholder: 'groups',
  },
  {
    opensAccess: true,
    type: 'text',
    key: 'oidc_roles',
    label: 'Single sign-on: roles by claim',
    help: 'Values of the claim and the role each gives, separated by semicolons. The first match counts.',
    placeholder: 'Fax admins=administrator; Fax desk=operator',
    check: isMapping,
  },
  {
    opensAccess: true,
    type: 'choice',
    key: 'oidc_default_role',
    label: 'Single sign-on: role of everybody else',
    help: 'For new people, and for those whose claim names no role.',
    default: 'none',
    choices: choicesOf({
      none: 'None: refuse the sign-in',
      sender: 'Sender',
      member: 'Member',
      operator: 'Operator',
      auditor: 'Auditor',
    }),
  },
])
