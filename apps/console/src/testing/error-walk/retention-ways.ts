import { addGroup } from '../../demo/people/fake-groups.ts'
import { addHold, cleaningOf } from '../../demo/records/fake-retention.ts'
import { instantOf, type World } from '../../demo/world.ts'
import { choose, enter, type Way } from './steps.ts'

const place = 'tools/retention'
const withHold = (world: World) => addHold(world, { kind: 'number', subject: '+15555550123', reason: 'Case 7' }).id
const withGroup = (world: World) => {
  addGroup(world, { name: 'Cardiology' })
  return undefined
}

/** The calls about legal holds, retention rules and deletions, and about where all of it lies. */
export const retentionWays = {
  settleDataFolder: {
    place: 'tools/diagnostics',
    world: (world) => {
      world.config.data_folder_from = '/var/lib/faxdeck/faxdeck.db'
      return undefined
    },
    gate: true,
    steps: ['It was moved', 'Send from here'],
  },
  listHolds: { place },
  placeHold: {
    place,
    steps: ['Place a legal hold', enter('Number', '+15555550123'), enter('Reason', 'Case 7'), 'Place hold'],
  },
  liftHold: { place, world: withHold, steps: ['Lift hold…', enter('Reason', 'Closed'), 'Lift hold'] },
  getRetention: { place, steps: ['Rules'] },
  pauseDeletions: {
    place,
    world: (world) => {
      cleaningOf(world).announced = 12
      cleaningOf(world).deletes_at = instantOf(world.now())
      return undefined
    },
    steps: ['Pause deletions'],
  },
  resumeDeletions: {
    place,
    world: (world) => {
      cleaningOf(world).paused_at = instantOf(world.now())
      return undefined
    },
    steps: ['Resume deletions'],
  },
  confirmClock: {
    place,
    world: (world) => {
      cleaningOf(world).believed_at = '2020-01-01T00:00:00.000Z'
      return undefined
    },
    steps: ['The clock is right'],
  },
  setRetention: {
    place,
    world: withGroup,
    steps: ['Rules', 'Add rule', choose('Group', 'Cardiology'), enter('Keep sent documents (days)', '30'), 'Save'],
  },
  exportRecords: {
    place,
    steps: ['Export records', enter('Number', '+15555550123'), enter('Reason', 'Case 7'), 'Export'],
  },
  reportRecords: {
    place,
    steps: ['Audit report', enter('Fax ID', '6f1c0d2e7b8a4c55a1e2d3f405162738'), 'Download report'],
  },
  reportRecordsCsv: {
    place,
    steps: [
      'Audit report',
      enter('Fax ID', '6f1c0d2e7b8a4c55a1e2d3f405162738'),
      choose('Format', 'CSV, for a spreadsheet'),
      'Download report',
    ],
  },
  listDeletions: { place, steps: ['Deletions'] },
  exportDeletions: { place, steps: ['Deletions', 'Download CSV'] },
} satisfies Record<string, Way>
