/** The application_name by which PostgreSQL shows which program a session belongs to. */
export const serviceSessions = 'faxdeck'
export const upkeepSessions = 'faxdeck upkeep'
