import { z } from 'zod'
import { del, get, post, put } from '../../route.ts'
import { givenName, groupId, instant } from '../../shapes.ts'

/** The maximum of groups, and of numbers or people in each. */
export const maxGroups = 200
export const maxInGroup = 500

const byGroup = z.object({ id: groupId })
const personId = z.string().regex(/^[0-9a-f]{12}$/, 'The id of a person is 12 hex characters.')

export const group = z.object({
  id: groupId,
  name: z.string(),
  /** Numbers of ours, E.164. What is received on them belongs to the group. */
  numbers: z.array(z.string()),
  /** The one of them that its faxes are sent from; null for the number of the line. */
  calling_number: z.string().nullable(),
  members: z.array(z.object({ id: personId, name: z.string() })),
  created_at: instant,
})
export type Group = z.infer<typeof group>

const ownGroup = z.object({
  id: groupId,
  name: z.string(),
  /** Whether the caller is in it. */
  member: z.boolean(),
})
export type OwnGroup = z.infer<typeof ownGroup>

/** Groups: which numbers they own and who is in them. */
export const groupRoutes = {
  listOwnGroups: get('/admin/account/groups', 'use_console', {
    summary: 'The groups whose faxes you see, by name: those you are in, or every group if you see all faxes.',
    failure: 'Failed to fetch your groups',
    reply: z.array(ownGroup),
  }),
  listGroups: get('/admin/groups', 'manage_people', {
    summary: 'Every group with its numbers and people, by name.',
    failure: 'Failed to fetch groups',
    reply: z.array(group),
  }),
  createGroup: post('/admin/groups', 'manage_people', {
    summary: 'Add a group.',
    failure: 'Failed to add the group',
    audits: ['group_created'],
    body: z.strictObject({ name: givenName(100) }),
    reply: group,
    status: 201,
  }),
  renameGroup: put('/admin/groups/:id', 'manage_people', {
    summary: 'Rename a group.',
    failure: 'Failed to rename the group',
    audits: ['group_renamed'],
    params: byGroup,
    body: z.strictObject({ name: givenName(100) }),
    reply: group,
  }),
  deleteGroup: del('/admin/groups/:id', 'manage_people', {
    summary: 'Delete a group. Its faxes stay, for those who see all faxes and those who sent them.',
    failure: 'Failed to delete the group',
    audits: ['group_deleted'],
    params: byGroup,
    reply: 'none',
  }),
  addGroupNumber: put('/admin/groups/:id/numbers/:number', 'manage_people', {
    confirm: true,
    summary:
      'Add a number to a group. Faxes received on it from now on belong to the group; a number can belong to only one group.',
    failure: 'Failed to add the number',
    audits: ['group_number_added'],
    params: byGroup.extend({ number: z.string().min(1).max(40) }),
    reply: group,
  }),
  removeGroupNumber: del('/admin/groups/:id/numbers/:number', 'manage_people', {
    summary: 'Remove a number from a group. Faxes received on it before stay with the group.',
    failure: 'Failed to remove the number',
    audits: ['group_number_removed'],
    params: byGroup.extend({ number: z.string().min(1).max(40) }),
    reply: group,
  }),
  setGroupCallingNumber: put('/admin/groups/:id/calling-number', 'manage_people', {
    summary:
      'Choose the number of the group that its faxes are sent from, as caller ID and on the pages. With null they are sent from the number in the provider’s settings.',
    failure: 'Failed to set the calling number',
    audits: ['group_calling_number_set'],
    params: byGroup,
    body: z.strictObject({ number: z.string().min(1).max(40).nullable() }),
    reply: group,
  }),
  addGroupMember: put('/admin/groups/:id/members/:person', 'manage_people', {
    confirm: true,
    summary: 'Add a person to a group.',
    failure: 'Failed to add the person',
    audits: ['group_member_added'],
    params: byGroup.extend({ person: personId }),
    reply: group,
  }),
  removeGroupMember: del('/admin/groups/:id/members/:person', 'manage_people', {
    summary: 'Remove a person from a group. They stop seeing its faxes immediately.',
    failure: 'Failed to remove the person',
    audits: ['group_member_removed'],
    params: byGroup.extend({ person: personId }),
    reply: group,
  }),
}
