// Runs before the first paint. The console keeps its choice under the same name.
{
  const page = globalThis
  let mode = null
  try {
    mode = page.localStorage.getItem('theme-mode')
  } catch {
    // Storage may be blocked; then the operating system's preference is followed.
  }
  if (mode === 'dark' || mode === 'light') page.document.documentElement.dataset.theme = mode
}
