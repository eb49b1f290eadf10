import type { QueryClient } from '@tanstack/react-query'
import { accountQuery } from '../api/account.ts'
import { configQuery, healthQuery } from '../api/overview.ts'
import { findScreen } from './navigation.ts'
import { currentVisit } from '../session/visit.ts'

/**
 * Asks for what the shell and its first screen show, while nothing is drawn yet or the key is still being tried: drawing
 * takes as long as the answers. What goes wrong is shown where the answer is used.
 */
export function askBeforehand(queries: QueryClient, isPerson: boolean): void {
  queries.query(configQuery).catch(() => undefined)
  // What a person may see is known only with their account.
  if (isPerson) queries.query(accountQuery).catch(() => undefined)
  else queries.query(healthQuery).catch(() => undefined)
  void findScreen(currentVisit().place)?.preload()
}
