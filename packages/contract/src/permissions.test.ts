import { describe, expect, it } from 'vitest'
import { permissions, permissionsOf, roles, scopeFor, scopes, type Permission, type Role } from './permissions.ts'
import type { RouteRow } from './route.ts'
import { routes } from './routes.ts'

const rows = Object.values<RouteRow>(routes)
const may = (role: Role, permission: Permission) => (roles[role].permissions as readonly string[]).includes(permission)

describe('permissions', () => {
  it('are each asked for by a call or a stream, and had by the administrator', () => {
    const asked = new Set(rows.map(({ permission }) => permission))
    const unused = (Object.keys(permissions) as Permission[]).filter((each) => !asked.has(each))
    expect(unused).toEqual([])
    for (const permission of Object.keys(permissions) as Permission[])
      expect(may('administrator', permission)).toBe(true)
  })

  it('are reached by a key through the least scope that has them', () => {
    expect(scopeFor('send_faxes')).toBe('fax:send')
    expect(scopeFor('read_received')).toBe('inbound:read')
    expect(scopeFor('manage_keys')).toBe('keys:manage')
    for (const scope of scopes)
      expect([...permissionsOf(['keys:manage'])]).toEqual(expect.arrayContaining([...permissionsOf([scope])]))
  })

  it('keep settings, keys and people from all but the administrator, and documents from the auditor', () => {
    const guarded: Permission[] = [
      'manage_settings',
      'manage_keys',
      'manage_people',
      'manage_webhooks',
      'manage_holds',
      'delete_received',
      'export_records',
      'run_gateway',
    ]
    const others = (Object.keys(roles) as Role[]).filter((role) => role !== 'administrator')
    for (const role of others)
      for (const permission of guarded)
        expect([role, permission, may(role, permission)]).toEqual([role, permission, false])
    expect(roles.auditor.permissions).toEqual(['use_console', 'own_account', 'read_trail', 'read_reports'])
    expect(roles.sender.faxes).toBe('own')
  })
})
