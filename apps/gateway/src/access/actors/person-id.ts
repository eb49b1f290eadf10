const prefix = 'person:'

/** What a person is called where keys have their id. */
export const actorIdOf = (personId: string): string => prefix + personId

/** The person that such an id names; undefined for a key. */
export const personIdOf = (actorId: string): string | undefined =>
  actorId.startsWith(prefix) ? actorId.slice(prefix.length) : undefined
