import { addPerson } from '../../demo/people/fake-people.ts'
import type { World } from '../../demo/world.ts'
import { enter, open, type Way } from './steps.ts'

const place = 'people/people'
const person = (world: World) =>
  addPerson(world, { name: 'Jane Doe', last_sign_in_at: '2026-01-05T10:00:00.000Z', sessions: 2 }).id

const withFactor = (world: World) => addPerson(world, { name: 'Jane Doe', second_factor: true }).id

/** What an administrator does with people. */
export const peopleWays = {
  listPeople: { place },
  invitePerson: {
    place,
    steps: ['Invite', enter('Name', 'Jane Doe'), enter('Email', 'jane.doe@clinic.example'), 'Invite'],
  },
  renewInvitation: { place, world: person, steps: ['New link', 'Make link'] },
  updatePerson: { place, world: person, steps: ['Suspend', 'Suspend'] },
  getPersonLeavings: { place, world: person, steps: ['Suspend'] },
  listPersonSessions: { place, world: person },
  endPersonSession: { place, world: person, steps: [open(/^End the session of Firefox on Linux/)] },
  resetFactors: { place, world: withFactor, steps: ['Reset second factors…', 'Reset'] },
  endSessions: { place, world: person, steps: ['End all'] },
} as const satisfies Record<string, Way>
