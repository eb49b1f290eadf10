import './look/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { askBeforehand } from './shell/ask-beforehand.ts'
import { presentVisitor } from './session/visitor.ts'
import { followTheme } from './shell/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root".')

function show(at: Element): void {
  // `theme.js` says so on the page.
  if (document.documentElement.dataset.browser === 'old') return
  const queries = createQueryClient()
  const visitor = presentVisitor()
  if (visitor) askBeforehand(queries, visitor === 'person')
  createRoot(at).render(
    <StrictMode>
      <App queries={queries} />
    </StrictMode>,
  )
}

followTheme()
// The mode is a word in the built text: every other build than that of the demo drops the branch, and the demo with it.
if (import.meta.env.MODE === 'demo') {
  import('./demo/start-demo.ts')
    .then(({ startDemo }) => startDemo())
    .then(
      () => show(root),
      (error: unknown) => {
        root.textContent = `The demo cannot start in this browser: ${String(error)}`
      },
    )
} else show(root)
