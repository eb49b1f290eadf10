import { type Role, roleNames } from '@faxdeck/contract'
import { listItems } from '@faxdeck/settings'
import { Problem } from '../../../base/http/answers/problem.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Who somebody is, as the provider says it. */
export interface Identity {
  issuer: string
  subject: string
  name: string
  /** Null when the provider names none. */
  email: string | null
  /** Whether the provider vouches for the address. */
  isVerified: boolean
}

export interface ClaimSettings {
  oidc_domains: string | null
  oidc_role_claim: string | null
  oidc_roles: string | null
  oidc_default_role: string
}

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined

/** Entra ID says `xms_edov` where the standard says `email_verified`, and some providers say "true". */
const isTrue = (claim: unknown) => claim === true || claim === 1 || claim === 'true' || claim === '1'

export function identityOf(issuer: string, claims: Claims & { sub: string }): Identity {
  const { sub: subject } = claims
  const email = textOf(claims['email'])
  const isEmail = email !== undefined && email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
  const name = textOf(claims['name']) ?? textOf(claims['preferred_username']) ?? email ?? subject
  return {
    issuer,
    subject,
    name: name.slice(0, 100),
    email: isEmail ? email : null,
    isVerified: isEmail && (isTrue(claims['email_verified']) || isTrue(claims['xms_edov'])),
  }
}

const refuse = (sentence: string) => new Problem('sign_in_refused', sentence)

/** The session at the provider that an ID token is of, by which it reports on its end. */
export const sidOf = (claims: Claims): string | null => textOf(claims['sid'])?.slice(0, 255) ?? null

/** @throws {Problem} `sign_in_refused` for an address outside the allowed domains, or one that nobody vouches for */
export function assertDomain({ email, isVerified }: Identity, { oidc_domains }: ClaimSettings): void {
  const domains = listItems(oidc_domains).map((domain) => domain.toLowerCase())
  if (domains.length === 0) return
  const domain = email?.split('@').at(-1)?.toLowerCase() ?? ''
  if (!isVerified) throw refuse('The sign-in provider does not confirm your email address, which is needed here.')
  if (!domains.includes(domain)) throw refuse('People of this email domain can’t sign in here.')
}

/** A claim by its own name, which may be an address with dots, or by the way that dots lead. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return isObject ? (value as Claims)[name] : undefined
  }, claims)
}

function valuesAt(claims: Claims, path: string): Set<string> {
  const found = claimAt(claims, path)
  return new Set((Array.isArray(found) ? found : [found]).filter((each) => typeof each === 'string'))
}

/** Pairs of a claim's value and a role. Values may hold "=" themselves, as names in a directory do. */
function mappingOf(text: string | null): { value: string; role: string }[] {
  return (text ?? '').split(';').flatMap((item) => {
    const at = item.lastIndexOf('=')
    return at < 0 ? [] : [{ value: item.slice(0, at).trim(), role: item.slice(at + 1).trim() }]
  })
}

const asRole = (name: string): Role | undefined => roleNames.find((role) => role === name)

export const mapsRoles = ({ oidc_role_claim: claim, oidc_roles: roles }: ClaimSettings): boolean =>
  claim !== null && roles !== null

/** The role that the claims give, else the one of everybody else; undefined for none. */
export function roleOf(claims: Claims, settings: ClaimSettings): Role | undefined {
  const rest = asRole(settings.oidc_default_role)
  if (settings.oidc_role_claim === null || !mapsRoles(settings)) return rest
  const values = valuesAt(claims, settings.oidc_role_claim)
  const first = mappingOf(settings.oidc_roles).find(({ value }) => values.has(value))
  return first === undefined ? rest : asRole(first.role)
}
