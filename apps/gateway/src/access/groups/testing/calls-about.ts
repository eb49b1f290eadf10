import { exampleOf, roles, type RouteName, type RouteRow, routes } from '@faxdeck/contract'

const rows = Object.entries(routes) as [RouteName, RouteRow][]

/** Whether members may make a call at all. */
export const mayBeAsked = ({ permission }: RouteRow): boolean =>
  permission !== null && (roles.member.permissions as readonly string[]).includes(permission)

const filled = (path: string, params: Readonly<Record<string, unknown>>) =>
  path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(String(params[part])))

/** A call that names a fax, ready to be made. */
export interface CallAbout {
  name: RouteName
  method: RouteRow['method']
  path: string
  more: { json?: unknown }
}

/** Every call that a member may make and that names a fax, by its path or in its body. */
export function callsAbout(id: string): CallAbout[] {
  return rows.flatMap(([name, row]) => {
    const { params = {}, query = {}, body } = exampleOf(name, row.path)
    const inPath = 'id' in params && String(params['id']).length === 32
    const inBody = body !== undefined && typeof body === 'object' && body !== null && 'ids' in body
    if (!mayBeAsked(row) || (!inPath && !inBody)) return []
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    )
    const path = filled(row.path, { ...params, id }) + (search.size > 0 ? `?${search}` : '')
    const json = inBody ? { ...body, ids: [id] } : body
    return [{ name, method: row.method, path, more: json === undefined ? {} : { json } }]
  })
}
