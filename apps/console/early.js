// Stands in the page itself and runs before the first paint, while the files of the console are still on their way.
{
  const page = globalThis
  const kept = (name) => {
    try {
      return page.localStorage.getItem(name)
    } catch {
      // Storage may be blocked; then the operating system's preference is followed, and nobody is logged in.
      return null
    }
  }

  // A page that turns from white to dark hurts in a dim room.
  const mode = kept('theme-mode')
  const dark = mode === 'dark' || (mode !== 'light' && page.matchMedia('(prefers-color-scheme: dark)').matches)
  page.document.documentElement.dataset.theme = dark ? 'dark' : 'light'

  // What every visit asks for first is asked for now; `src/api/early.ts` takes the answers over.
  const key = kept('faxdeck-admin-key')
  if (key && page.document.documentElement.dataset.mode !== 'demo') {
    const paths = ['/admin/config', '/admin/health-status']
    if ((page.history.state?.place ?? 'dashboard') === 'dashboard') paths.push('/admin/activity')
    const answers = new Map(paths.map((path) => [path, page.fetch(path, { headers: { 'x-api-key': key } })]))
    for (const answer of answers.values()) answer.catch(() => {})
    page.faxdeckEarly = { key, answers }
  }
}
