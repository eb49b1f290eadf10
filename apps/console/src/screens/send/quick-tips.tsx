import styles from './send.module.css'

/** What helps a fax arrive. */
export function QuickTips() {
  return (
    <section className={styles.tips} aria-label="Quick Tips">
      <h2>Quick Tips</h2>
      <ul>
        <li>Most faxes finish in 2 to 5 minutes.</li>
        <li>Busy lines are retried automatically. Don’t send twice.</li>
        <li>For international numbers, start with + and the country code.</li>
        <li>Dark print on white paper reads best. Photos are dithered.</li>
      </ul>
    </section>
  )
}
