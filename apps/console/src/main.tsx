import './look/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { followTheme } from './shell/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root".')

createRoot(root).render(
  <StrictMode>
    <App queries={createQueryClient()} />
  </StrictMode>,
)
followTheme()
