import type { InputOf, Person, Routes } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { type EndingChoice, endingInQuery } from '../../session/let-in/ending.ts'

export type NewPerson = InputOf<Routes['invitePerson']>['body']
export type PersonChange = InputOf<Routes['updatePerson']>['body']

export const peopleQuery = callQuery(['people'], client.listPeople, { placeholderData: keepPreviousData })

/** Who is in which group. */
export const groupsQuery = callQuery(['groups', 'all'], client.listGroups)

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id, 'sessions'],
    queryFn: ({ signal }) => client.listPersonSessions({ params: { id } }, { signal }),
  })

/** Whom a person let in, and what suspending them takes back, also of those who go with them. */
export const leavingsQuery = (id: string, choice: EndingChoice) =>
  queryOptions({
    queryKey: ['person-leavings', id, choice],
    queryFn: ({ signal }) => client.getPersonLeavings({ params: { id }, query: endingInQuery(choice) }, { signal }),
    placeholderData: keepPreviousData,
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
