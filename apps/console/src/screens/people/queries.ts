import type { InputOf, Person, Routes } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'

export type NewPerson = InputOf<Routes['invitePerson']>['body']
export type PersonChange = InputOf<Routes['updatePerson']>['body']

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => client.listPeople({}, { signal }),
  placeholderData: keepPreviousData,
})

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id, 'sessions'],
    queryFn: ({ signal }) => client.listPersonSessions({ params: { id } }, { signal }),
  })

/** What suspending a person takes back. */
export const leavingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['person-leavings', id],
    queryFn: ({ signal }) => client.getPersonLeavings({ params: { id } }, { signal }),
  })

/** The names of the keys that a person created; they go on working when the person is suspended. */
export const keysOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['api-keys', 'of-person', id],
    queryFn: async ({ signal }) => {
      const keys = await client.listApiKeys({}, { signal })
      return keys.filter((key) => key.issued_by === `person:${id}`).map((key) => key.name ?? key.key_id)
    },
  })

export const invitePerson = (body: NewPerson) => client.invitePerson({ body })
export const renewInvitation = ({ id }: Person) => client.renewInvitation({ params: { id } })
export const updatePerson = ({ id, change }: { id: string; change: PersonChange }) =>
  client.updatePerson({ params: { id }, body: change })
export const resetFactors = ({ id }: Person) => client.resetFactors({ params: { id } })
export const endSession = ({ id, session }: { id: string; session: string }) =>
  client.endPersonSession({ params: { id, session } })
export const endSessions = (id: string) => client.endSessions({ params: { id } })

/** A person together with their link, which is answered once. */
export type PersonWithLink = Awaited<ReturnType<typeof invitePerson>>
