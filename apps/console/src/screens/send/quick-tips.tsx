import styles from './send.module.css'

/** What helps a fax arrive. */
export function QuickTips() {
  return (
    <section className={styles.tips} aria-label="Quick Tips">
      <h2>Quick Tips</h2>
      <ul>
        <li>Most faxes finish in 2 to 5 minutes.</li>
        <li>A busy line is tried again by itself: there is no need to send twice.</li>
        <li>For a number abroad, start with + and the country code.</li>
        <li>Dark print on white paper is read best; photographs turn into dots.</li>
      </ul>
    </section>
  )
}
