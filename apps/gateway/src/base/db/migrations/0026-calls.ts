import { type Kysely, sql } from 'kysely'

/**
 * What telephone engines report calls: a record with each attempt and each received fax, what worked with a number, and
 * how busy the lines were. The attempts of the last calls are found without the many that have no record.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('fax_attempts').addColumn('call_record', 'text').execute()
  await db.schema.alterTable('fax_attempts').addColumn('call_options', 'text').execute()
  await db.schema.alterTable('inbound_faxes').addColumn('call_record', 'text').execute()
  await db.schema
    .createIndex('fax_attempts_calls')
    .on('fax_attempts')
    .column('ended_at')
    .where(sql.ref('call_record'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('inbound_faxes_calls')
    .on('inbound_faxes')
    .column('received_at')
    .where(sql.ref('call_record'), 'is not', null)
    .execute()
  await db.schema
    .createTable('number_memory')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('number', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('learned_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('number_memory_pkey', ['provider', 'number'])
    .execute()
  await db.schema.createIndex('number_memory_learned').on('number_memory').column('learned_at').execute()
  await db.schema
    .createTable('line_hours')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('hour', 'text', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('busy_seconds', 'integer', (column) => column.notNull())
    .addColumn('peak', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('line_hours_pkey', ['provider', 'hour'])
    .execute()
}
