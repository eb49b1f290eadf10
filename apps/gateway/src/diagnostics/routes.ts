import { measureAtMost } from '../health/measure.ts'
import type { Handlers } from '../http/handler.ts'
import { type DiagnosticsParts, runDiagnostics } from './run.ts'
import { validateHandler, type ValidateParts } from './validate.ts'

/** Looking at everything the gateway depends on, and trying settings before they are saved. */
export function diagnosticsHandlers(
  parts: DiagnosticsParts & ValidateParts,
): Handlers<'runDiagnostics' | 'validateSettings'> {
  // Who asks while a run is under way is told what that run finds.
  const run = measureAtMost(
    0,
    () => parts.now().getTime(),
    () => runDiagnostics(parts),
  )
  return { runDiagnostics: run, ...validateHandler(parts) }
}
