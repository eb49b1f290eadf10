import { Problem } from './problem.ts'

/** Where a row stands in a list: what the list is sorted by, and the id for those that are equal. */
export interface Place<Value = string> {
  value: Value
  id: string
}

/** A place as a text that callers give back. @param order of the list, where it has several: a place in another one is refused */
export const writeCursor = ({ value, id }: Place<string | number>, order = ''): string =>
  Buffer.from(`${order}${value} ${id}`).toString('base64url')

/** @throws {Problem} `bad_request` */
export function readCursor(cursor: string, order = ''): Place {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [value, id, ...others] = text.startsWith(order) ? text.slice(order.length).split(' ') : []
  if (value && id && others.length === 0) return { value, id }
  throw new Problem('bad_request', 'This cursor does not belong to this list. Start again without a cursor.')
}
