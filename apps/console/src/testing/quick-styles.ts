/*
 * jsdom tries every rule of its style sheet on an element for each question about its style. Queries by role ask of
 * hundreds of elements whether they are shown. Where a page brings no style sheet of its own, that follows from what
 * an element is and from these attributes: jsdom is asked once for each combination of them.
 */

const telling = ['hidden', 'open', 'popover', 'type', 'style']
const displays = new Map<string, string>()

const kindOf = (element: Element) =>
  JSON.stringify([
    element.parentElement?.localName,
    element.localName,
    ...telling.map((name) => element.getAttribute(name)),
  ])

/** Whether the element may have a visibility of its own, or inherit one. */
function hasVisibility(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at.hasAttribute('hidden') || at.getAttribute('style')?.includes('visibility')) return true
  }
  return false
}

let isQuick = false

/** Lets `getComputedStyle` answer at once how an element is displayed, and whether it is visible. */
export function quickenStyles(): void {
  if (isQuick) return
  isQuick = true
  const ask = window.getComputedStyle.bind(window)

  function displayOf(element: Element): string {
    const kind = kindOf(element)
    const known = displays.get(kind)
    if (known !== undefined) return known
    const display = ask(element).display
    displays.set(kind, display)
    return display
  }

  function answer(element: Element, property: PropertyKey): string | undefined {
    if (property === 'display') return displayOf(element)
    if (property === 'visibility' && !hasVisibility(element)) return 'visible'
    return undefined
  }

  window.getComputedStyle = (element, pseudo) => {
    if (pseudo || document.styleSheets.length > 0) return ask(element, pseudo)
    return new Proxy(document.documentElement.style, {
      get(_, property) {
        if (property === 'getPropertyValue') {
          return (name: string) => answer(element, name) ?? ask(element).getPropertyValue(name)
        }
        return answer(element, property) ?? Reflect.get(ask(element), property)
      },
    })
  }
}
