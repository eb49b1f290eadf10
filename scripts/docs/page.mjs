import MiniSearch from 'minisearch'

const page = globalThis
const { document, URL, URLSearchParams } = page
const root = document.documentElement
const start = new URL(root.dataset.start, page.location.href)
const find = (query) => document.querySelector(query)
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}
const remembered = (name, value) => {
  try {
    if (value === undefined) return page.localStorage.getItem(name)
    page.localStorage.setItem(name, value)
  } catch {
    // Storage may be blocked; then nothing is remembered.
  }
  return value
}

function offerTheme() {
  const button = find('button.theme')
  const dark = page.matchMedia('(prefers-color-scheme: dark)')
  const current = () => root.dataset.theme ?? (dark.matches ? 'dark' : 'light')
  const show = () => {
    button.hidden = false
    button.textContent = current() === 'dark' ? 'Light' : 'Dark'
    button.setAttribute('aria-label', `Switch to ${current() === 'dark' ? 'light' : 'dark'} mode`)
  }
  button.addEventListener('click', () => {
    root.dataset.theme = remembered('theme-mode', current() === 'dark' ? 'light' : 'dark')
    show()
  })
  dark.addEventListener('change', show)
  show()
}

/** A tab that is chosen is chosen in every group, here and on the pages to come. */
function makeTabs() {
  const groups = [...document.querySelectorAll('.tabs')].map((group) => ({ group, blocks: [...group.children] }))
  const choose = (name) => {
    for (const { group, blocks } of groups) {
      const chosen = blocks.find(({ dataset }) => dataset.tab === name) ?? blocks[0]
      for (const block of blocks) block.hidden = block !== chosen
      for (const tab of group.querySelectorAll('[role=tab]')) {
        const isChosen = tab.textContent === chosen.dataset.tab
        tab.setAttribute('aria-selected', String(isChosen))
        tab.tabIndex = isChosen ? 0 : -1
      }
    }
  }
  for (const { group, blocks } of groups) {
    const tabs = blocks.map((block) => {
      block.setAttribute('role', 'tabpanel')
      block.setAttribute('aria-label', block.dataset.tab)
      const tab = make('button', { type: 'button', textContent: block.dataset.tab, role: 'tab' })
      tab.addEventListener('click', () => choose(remembered('docs-tab', block.dataset.tab)))
      return tab
    })
    const list = make('div', { role: 'tablist', ariaLabel: 'Ways to make this call' }, ...tabs)
    list.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
      if (!step) return
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
      next.click()
      next.focus()
    })
    group.classList.add('live')
    group.prepend(list)
  }
  choose(remembered('docs-tab'))
}

async function copy(button, text) {
  const before = button.textContent
  try {
    await page.navigator.clipboard.writeText(await text())
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copying failed'
  }
  page.setTimeout(() => (button.textContent = before), 2000)
}

function offerCopies() {
  // Browsers have no clipboard for pages without HTTPS, except on this machine.
  if (!page.navigator.clipboard) return
  for (const block of document.querySelectorAll('main pre')) {
    const button = make('button', { type: 'button', className: 'copy-code', textContent: 'Copy' })
    button.addEventListener('click', () => void copy(button, () => block.textContent.trimEnd()))
    block.before(make('div', { className: 'code' }))
    block.previousSibling.append(button, block)
  }
  const whole = find('button.copy')
  whole.hidden = false
  whole.addEventListener('click', () => {
    void copy(whole, async () => (await page.fetch(whole.dataset.page)).text())
  })
}

let index
/** Sections by their words; the file is read when somebody first searches. */
function loadIndex() {
  index ??= page.fetch(new URL('search.json', start)).then(async (answer) => {
    const search = new MiniSearch({
      fields: ['title', 'page', 'text'],
      storeFields: ['title', 'page', 'text', 'to'],
      searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    })
    search.addAll((await answer.json()).map((section, id) => ({ id, ...section })))
    return search
  })
  return index
}

function excerptOf({ text, terms }) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0)
  const from = places.length > 0 ? Math.max(0, Math.min(...places) - 50) : 0
  const before = from > 0 ? text.slice(from).replace(/^\S*\s/, '… ') : text
  return before.length > 160 ? `${before.slice(0, 160).replace(/\s\S*$/, '')} …` : before
}

function hitOf(hit) {
  const title = hit.title === hit.page ? hit.page : `${hit.page}: ${hit.title}`
  const link = make('a', { href: new URL(hit.to, start).href }, make('strong', { textContent: title }))
  link.append(make('span', { textContent: excerptOf(hit) }))
  return make('li', {}, link)
}

function offerSearch() {
  const input = find('input[type=search]')
  const list = find('#hits')
  const show = async () => {
    const words = input.value.trim()
    const hits = words === '' ? [] : (await loadIndex()).search(words)
    if (words !== input.value.trim()) return
    list.replaceChildren(...hits.slice(0, 8).map(hitOf))
    if (words !== '' && hits.length === 0) list.append(make('li', { textContent: 'Nothing found.' }))
    list.hidden = words === ''
  }
  input.addEventListener('input', () => void show())
  const form = input.form
  form.addEventListener('keydown', (event) => {
    const links = [input, ...list.querySelectorAll('a')]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      links[Math.max(0, Math.min(links.length - 1, links.indexOf(document.activeElement) + step))].focus()
    }
    if (event.key === 'Escape') list.hidden = true
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) list.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

/** The page of results, whose words are in its address. */
async function showResults() {
  const results = find('#results')
  if (!results) return
  const words = new URLSearchParams(page.location.search).get('q')?.trim() ?? ''
  if (words === '') return
  find('input[type=search]').value = words
  const hits = (await loadIndex()).search(words)
  find('h1').textContent = hits.length > 0 ? `Results for “${words}”` : 'Nothing found'
  results.replaceChildren(...hits.slice(0, 40).map(hitOf))
  find('#hint').hidden = hits.length > 0
}

/** A long list of pages begins where this page is. */
function showPlace() {
  const list = find('#pages')
  const current = list.querySelector('[aria-current]')
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 3
}

showPlace()
offerTheme()
makeTabs()
offerCopies()
offerSearch()
if (page.matchMedia('(max-width: 76rem)').matches) find('.contents')?.removeAttribute('open')
void showResults()
