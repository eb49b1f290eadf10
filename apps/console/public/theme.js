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
}
