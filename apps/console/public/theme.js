// Runs before the first paint: a page that turns from white to dark hurts in a dim room.
{
  const page = globalThis
  let mode = null
  try {
    mode = page.localStorage.getItem('theme-mode')
  } catch {
    // Storage may be blocked; then the operating system's preference is followed.
  }
  const dark = mode === 'dark' || (mode !== 'light' && page.matchMedia('(prefers-color-scheme: dark)').matches)
  page.document.documentElement.dataset.theme = dark ? 'dark' : 'light'

  // Without one of these the console would end in the middle of what somebody does: Chrome 120, Firefox 125, Safari 17.4.
  const isCurrent =
    'popover' in page.HTMLElement.prototype &&
    'any' in page.AbortSignal &&
    'groupBy' in page.Map &&
    'withResolvers' in page.Promise
  if (!isCurrent) {
    page.document.documentElement.dataset.browser = 'old'
    page.document.addEventListener('DOMContentLoaded', () => {
      page.document.getElementById('root').textContent =
        'This browser is too old for the Faxdeck console. Use Chrome or Edge 120, Firefox 125 or Safari 17.4, or a newer version.'
    })
  }
}
