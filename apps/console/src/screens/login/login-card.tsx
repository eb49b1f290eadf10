import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Mark } from '../../ui/layout/mark.tsx'
import styles from './login.module.css'
import { waysInQuery } from './queries.ts'

/** The card in the middle of the page with which a visit begins. */
export function LoginCard({ children }: { children: ReactNode }) {
  const { data: waysIn } = useQuery(waysInQuery)
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.head}>
          <Mark size="2.5rem" />
          <h1>Faxdeck</h1>
          <p>Administration console</p>
        </div>
        {children}
        {waysIn && (waysIn.people || waysIn.contact) && (
          <p className={styles.local}>Can’t sign in? Ask {waysIn.contact ?? 'your administrator'}.</p>
        )}
        <p className={styles.local}>Local access only (127.0.0.1)</p>
      </div>
    </main>
  )
}
