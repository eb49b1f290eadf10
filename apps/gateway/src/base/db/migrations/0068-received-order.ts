import { type Kysely, PostgresAdapter, sql } from 'kysely'

const set = `update inbound_order set seq = seq + 1`

/**
 * The order in which received faxes were complete, for programs that follow them. `received_at` does not serve: a fax
 * whose document comes late, or whose transaction commits late, would stand before faxes that were read already. The row
 * of the counter is locked until the commit, so that places become visible in their order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema.alterTable('inbound_faxes').addColumn('place', 'integer').execute()
  await sql`
    update inbound_faxes set place = ordered.n
    from (select id, row_number() over (order by received_at, id) as n from inbound_faxes where status <> 'waiting') as ordered
    where ordered.id = inbound_faxes.id
  `.execute(db)
  await db.schema
    .createTable('inbound_order')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into inbound_order (id, seq) select 1, coalesce(max(place), 0) from inbound_faxes`.execute(db)
  await db.schema
    .createIndex('inbound_faxes_place')
    .on('inbound_faxes')
    .column('place')
    .where(sql.ref('place'), 'is not', null)
    .execute()
  for (const statement of isPostgres ? onPostgres : onSqlite) await sql.raw(statement).execute(db)
}

const onSqlite = [
  ['in', 'insert', `new.status <> 'waiting' and new.place is null`],
  ['ended', 'update of status', `new.status <> 'waiting' and new.status <> old.status`],
].map(
  ([name, event, when]) => `create trigger inbound_faxes_${name} after ${event} on inbound_faxes when ${when} begin
    ${set}; update inbound_faxes set place = (select seq from inbound_order) where id = new.id; end`,
)

const onPostgres = [
  `create function inbound_faxes_place() returns trigger language plpgsql as
   $$ begin ${set} returning seq into new.place; return new; end $$`,
  `create trigger inbound_faxes_in before insert on inbound_faxes for each row
   when (new.status <> 'waiting' and new.place is null) execute function inbound_faxes_place()`,
  `create trigger inbound_faxes_ended before update of status on inbound_faxes for each row
   when (new.status <> 'waiting' and new.status <> old.status) execute function inbound_faxes_place()`,
]
