/** Faxdeck's mark: a sheet leaving a slot. */
export function Mark({ size = '1.625rem' }: { size?: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" fill="none" aria-hidden="true">
      <rect x="2" y="12" width="22" height="11" rx="3" fill="var(--accent)" />
      <path
        d="M7.5 16.5V3.4c0-.5.4-.9.9-.9h6.6l3.5 3.5v10.5z"
        fill="var(--surface)"
        stroke="var(--accent)"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <path d="M10.5 8h3.5M10.5 11.2h5" stroke="var(--accent)" strokeWidth="1.5" strokeLinecap="round" />
      <rect x="5" y="15.6" width="16" height="1.8" rx=".9" fill="var(--surface)" />
    </svg>
  )
}
