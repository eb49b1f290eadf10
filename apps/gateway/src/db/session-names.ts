/** By which PostgreSQL shows whose sessions are whose (application_name). */
export const serviceSessions = 'faxdeck'
export const upkeepSessions = 'faxdeck upkeep'
