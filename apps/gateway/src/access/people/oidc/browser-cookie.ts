/** Long enough to sign in at the provider, with a second factor and a forgotten password. */
export const loginMinutes = 10

type Headers = Readonly<Record<string, string | undefined>>

/**
 * Name and path, as those of a session: over HTTPS no neighboring host can set it. One that somebody else set would sign
 * a visitor in to the account of whoever set it.
 */
function binding(headers: Headers, basePath: string | null) {
  const secure = headers['origin']?.startsWith('https://') ?? false
  const prefix = secure ? (basePath === null ? '__Host-' : '__Secure-') : ''
  return { name: `${prefix}faxdeck_oidc`, path: `${basePath ?? ''}/`, secure }
}

/** A Set-Cookie that binds a sign-in to the browser in which it begins. @param headers of a call of our own page */
export function bindingCookie(token: string, headers: Headers, basePath: string | null): string {
  const { name, path, secure } = binding(headers, basePath)
  const lasting = `Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${loginMinutes * 60}`
  return `${name}=${token}; ${lasting}${secure ? '; Secure' : ''}`
}

/** The token of the browser; undefined when none has begun there. */
export function bindingOf(headers: Headers, basePath: string | null): string | undefined {
  const { name } = binding(headers, basePath)
  const pairs = (headers['cookie'] ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
