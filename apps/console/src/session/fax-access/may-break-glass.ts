import type { Session } from '../session.ts'

/** Whether a person may open a fax outside of their groups by giving a reason. Whoever handles all faxes need not. */
export const mayBreakGlass = ({ config, may }: Pick<Session, 'config' | 'may'>): boolean =>
  config.break_glass_minutes > 0 && may('break_glass') && !may('handle_faxes')
