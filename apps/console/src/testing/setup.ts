import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { forgetSealed } from '../api/tab-vault.ts'
import { quickenLabels } from './quick-labels.ts'
import { setWide } from './screen-width.ts'

// A busy machine makes a screen late, not wrong.
configure({ asyncUtilTimeout: 30_000 })

const { getElementError } = getConfig()
/** Whether a query is asked again and again until it finds something, by the flag that the library sets meanwhile. */
const isPolled = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
// The page that an error shows is drawn once, at the end: drawn at every try it took longer than the test.
configure({
  getElementError: (message, container) =>
    isPolled() ? new Error(message ?? 'Nothing was found.') : getElementError(message, container),
})
quickenLabels()

/** What jsdom leaves out of a browser and the console uses. Behaves as the standards say, as far as tests look. */
const openers = new WeakMap<HTMLDialogElement, Element | null>()

HTMLDialogElement.prototype.showModal = function showModal() {
  openers.set(this, document.activeElement)
  this.setAttribute('open', '')
  this.querySelector<HTMLElement>('[autofocus], button, input, select, textarea')?.focus()
}
HTMLDialogElement.prototype.close = function close() {
  this.removeAttribute('open')
  const opener = openers.get(this)
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
}
const cancelTop = (event: KeyboardEvent) => {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1)
  if (event.key === 'Escape' && top) top.dispatchEvent(new Event('cancel', { cancelable: true }))
}
document.addEventListener('keydown', cancelTop)
// Files share a document: the next one listens for itself.
afterAll(() => document.removeEventListener('keydown', cancelTop))
// They share modules too: one that is cut off on its way would be missing for all that follow.
afterAll(() => vi.dynamicImportSettled())

HTMLElement.prototype.showPopover = function showPopover() {
  this.setAttribute('data-popover-open', '')
}
window.scrollTo = () => undefined
HTMLElement.prototype.scrollIntoView = () => undefined
HTMLElement.prototype.animate = () => ({}) as Animation
URL.createObjectURL = () => 'blob:picture'
URL.revokeObjectURL = () => undefined

/** Everything is in view at once. */
class SeesAll {
  private readonly notice: IntersectionObserverCallback
  constructor(notice: IntersectionObserverCallback) {
    this.notice = notice
  }
  observe(target: Element): void {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry
    this.notice([entry], this as unknown as IntersectionObserver)
  }
  disconnect(): void {
    // Nothing is kept.
  }
}
class NeverResizes {
  observe(): void {
    // Sizes do not change here.
  }
  disconnect(): void {
    // Nothing is kept.
  }
}
Object.assign(globalThis, { IntersectionObserver: SeesAll, ResizeObserver: NeverResizes })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '')
  setWide(true)
})
afterEach(() => {
  cleanup()
  void forgetSealed()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
