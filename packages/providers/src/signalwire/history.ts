import { type Host, ProviderProblem, refusalOf } from '@faxdeck/provider-kit'
import { type Account, ask, name } from './account.ts'
import { type ListedObject, readList, readRefusal } from './fax.ts'

const pageSize = 200
/** Pages: more faxes than an account makes between two looks. */
const maxPages = 50

/**
 * Lists faxes since an instant, whichever way they went, page by page.
 * @param filter as the API names it, such as `To`
 * @throws {ProviderProblem} when the list cannot be had whole
 */
export async function listFaxes(
  account: Account,
  filter: Record<string, string>,
  since: Date,
  host: Host,
  signal: AbortSignal,
): Promise<ListedObject[]> {
  const query = { ...filter, DateCreatedAfter: since.toISOString(), PageSize: String(pageSize) }
  const faxes: ListedObject[] = []
  let url: string | undefined = `${account.faxes}?${new URLSearchParams(query).toString()}`
  for (let page = 0; url !== undefined; page++) {
    const answer = await ask(account, url, host, signal)
    const list = answer.status === 200 ? readList(answer.body) : undefined
    if (!list) throw refusalOf(name, answer, readRefusal(answer.body).words)
    faxes.push(...list.faxes.filter(({ createdAt }) => createdAt !== undefined && createdAt >= since))
    url = list.next === undefined ? undefined : sameOrigin(list.next, account)
    if (page >= maxPages) throw new ProviderProblem('rejected', `${name} lists more faxes than can be looked through.`)
  }
  return faxes
}

/** Credentials go to no other host, wherever an answer may point. */
function sameOrigin(next: string, { origin, faxes }: Account): string {
  const url = URL.parse(next, faxes)
  if (url && url.origin === new URL(origin).origin) return url.href
  throw new ProviderProblem('rejected', `${name} continues its list at another host, which Faxdeck does not call.`)
}
