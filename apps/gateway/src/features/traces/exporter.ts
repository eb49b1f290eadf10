import { createHash } from 'node:crypto'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FaxLife } from './read-life.ts'

/** Where traces go. @param headers name and value of each, such as a token */
export interface Collector {
  endpoint: string
  headers: Readonly<Record<string, string>>
}

/** The same span has the same id when it is told again, because its fax ended again. */
const spanIdOf = (faxId: string, name: string) =>
  createHash('sha256').update(`${faxId} ${name}`).digest('hex').slice(0, 16)

const outcome = (isGood: boolean, kind: string | null) =>
  isGood ? { code: SpanStatusCode.OK } : { code: SpanStatusCode.ERROR, ...(kind === null ? {} : { message: kind }) }

/**
 * Tells a collector of OpenTelemetry (OTLP over HTTP) how faxes went. Nothing in it says to whom, or what was faxed. What
 * the collector does not take is lost: faxes do not wait for it.
 */
export function createExporter({ endpoint, headers }: Collector, version: string) {
  let faxId = ''
  let name = ''
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers: { ...headers } })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'faxdeck', 'service.version': version }),
    // The id of a fax has the form of a trace's id, so that one finds the other.
    idGenerator: { generateTraceId: () => faxId, generateSpanId: () => spanIdOf(faxId, name) },
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 4096, scheduledDelayMillis: 2000 })],
  })
  const tracer = provider.getTracer('faxdeck', version)
  const begin = (named: string, at: string, kind: SpanKind, parent?: Span) => {
    name = named
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    return tracer.startSpan(named, { kind, startTime: new Date(at) }, context)
  }
  return {
    /** Tells of a fax that has ended. */
    notify: ({ job, attempts }: FaxLife, endedAt: string) => {
      faxId = job.id
      const whole = begin('fax', job.created_at, SpanKind.INTERNAL)
      whole.setAttributes({
        'faxdeck.fax.id': job.id,
        'faxdeck.provider': job.backend,
        'faxdeck.pages': job.pages,
        'faxdeck.attempts': attempts.length,
        'faxdeck.phase': job.phase,
      })
      const [first] = attempts
      begin('queued', job.created_at, SpanKind.INTERNAL, whole).end(new Date(first?.started_at ?? endedAt))
      for (const attempt of attempts) {
        const span = begin(`attempt ${attempt.number}`, attempt.started_at, SpanKind.CLIENT, whole)
        span.setAttributes({ 'faxdeck.provider': attempt.provider })
        if (attempt.pages_confirmed !== null) span.setAttribute('faxdeck.pages_confirmed', attempt.pages_confirmed)
        span.setStatus(outcome(attempt.kind === null, attempt.kind))
        span.end(new Date(attempt.ended_at ?? endedAt))
      }
      whole.setStatus(outcome(job.status === 'SUCCESS', job.error_kind))
      whole.end(new Date(endedAt))
    },
    /** Hands over what is left. */
    close: () => provider.shutdown(),
  }
}
