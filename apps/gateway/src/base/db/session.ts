import type pg from 'pg'

/** What a connection is for: the gateway's daily work, or bringing the tables up to date and moving them. */
export type Purpose = 'service' | 'maintenance'

/** A host that lost power no longer answers; these settings end its connections and release their locks. */
const endOfSilence = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
  client_connection_check_interval: '2000',
}

/**
 * How long PostgreSQL lets a session wait, in milliseconds. Sessions that wait for a lock give up before its holder is
 * terminated, so that another transaction of the same frozen process does not get the lock next.
 */
const limits: Record<Purpose, Record<string, string>> = {
  service: {
    ...endOfSilence,
    lock_timeout: '3000',
    idle_in_transaction_session_timeout: '5000',
    statement_timeout: '30000',
  },
  // Making an index may take an hour, and a second process waits for it.
  maintenance: { ...endOfSilence, idle_in_transaction_session_timeout: '60000' },
}

/** Sets the limits of a new connection, those that this version of PostgreSQL knows. */
export async function setLimits(client: pg.ClientBase, purpose: Purpose): Promise<void> {
  const entries = Object.entries(limits[purpose])
  await client.query(
    `select set_config(s.name, wanted.value, false)
     from unnest($1::text[], $2::text[]) as wanted(name, value) join pg_settings s on s.name = wanted.name`,
    [entries.map(([name]) => name), entries.map(([, value]) => value)],
  )
}
