import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { Gate } from './shell/gate.tsx'
import { ScreenBoundary } from './shell/screen-boundary.tsx'
import { ToastProvider } from './ui/overlay/toast.tsx'

/** The console. */
export function App({ queries }: { queries: QueryClient }) {
  return (
    <QueryClientProvider client={queries}>
      <ScreenBoundary>
        <ToastProvider>
          <ScreenBoundary>
            <Gate />
          </ScreenBoundary>
        </ToastProvider>
      </ScreenBoundary>
    </QueryClientProvider>
  )
}
