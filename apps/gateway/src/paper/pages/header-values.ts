import type { HeaderLine } from '@faxdeck/documents'
import type { Provider } from '@faxdeck/provider-kit'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { GatewayContext } from '../../base/context.ts'

const shape = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
const clocks = new Map<string | null, Intl.DateTimeFormat>()

/**
 * An instant as people read it on paper: "21 Nov 2026, 16:05 GMT-5".
 * @param zone by its IANA name; that of this machine when it is null
 */
export function timeInWords(at: Date, zone: string | null): string {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: zone ?? undefined })
  clocks.set(zone, clock)
  return clock.format(at)
}

/** The installation's time zone by its IANA name, and instants as people read them there. */
export function clockOf({ settings }: Pick<GatewayContext, 'settings'>) {
  const { time_zone: zone } = settings.current()
  return {
    zone: zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    inWords: (at: string) => timeInWords(new Date(at), zone),
  }
}

/**
 * What the sender is called, and its fax number: by the line itself, else by the general settings.
 * @param from the number that the call comes from, where it is not that of the line
 */
export function senderFor(settings: SettingsInForce, provider: Provider, from?: string): Omit<HeaderLine, 'when'> {
  const { fax_header: name, fax_header_number: number, ...others } = settings
  const own = provider.pageSender?.(others)
  return { sender: own?.sender ?? name, station: from ?? own?.station ?? number }
}

/**
 * What pages sent now do not say of their sender. The law wants a name and a number on every fax in the United States
 * (47 CFR 68.318) and elsewhere. Clouds print their number themselves, but not on a cover page.
 */
export function senderGaps(settings: SettingsInForce, provider: Provider): ('name' | 'number')[] {
  const isPlain = !settings.fax_header_line && settings.fax_cover === 'none'
  if (provider.kind === 'builtin' || isPlain) return []
  const { sender, station } = senderFor(settings, provider)
  const lacksNumber = !station && (!sender || provider.traits.requires_pages)
  return [...(sender ? [] : ['name' as const]), ...(lacksNumber ? ['number' as const] : [])]
}

/**
 * The header line of pages that are sent now; undefined when it is off, and for providers that take the document and
 * draw pages of their own.
 */
export function headerFor(
  { settings, now }: Pick<GatewayContext, 'settings' | 'now'>,
  provider: Provider,
  from?: string,
) {
  if (!settings.current().fax_header_line || !provider.traits.requires_pages) return undefined
  return {
    when: timeInWords(now(), settings.current().time_zone),
    ...senderFor(settings.current(), provider, from),
  } satisfies HeaderLine
}

/** What a provider that prints a header line of its own is asked to print; undefined when it is off, or nobody is named. */
export function headerTextFor({ settings }: Pick<GatewayContext, 'settings'>, provider: Provider): string | undefined {
  if (!settings.current().fax_header_line || provider.traits.requires_pages) return undefined
  return senderFor(settings.current(), provider).sender ?? undefined
}

/** The header line that a job was last sent with. */
export function headerOf(job: FaxJobRow): HeaderLine | undefined {
  return job.header_line === null ? undefined : (JSON.parse(job.header_line) as HeaderLine)
}
