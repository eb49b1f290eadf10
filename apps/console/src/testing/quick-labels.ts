/*
 * jsdom finds the labels of a control, and the control of a label, by a walk through the whole page, for every element
 * that is asked. Queries by label and by name ask all of them, so that a long form took seconds for each. These find
 * the same by the ids (HTML, 4.10.4).
 */

const labelable = 'button, input:not([type="hidden"]), meter, output, progress, select, textarea'

function controlOf(label: HTMLLabelElement): Element | null {
  const id = label.getAttribute('for')
  if (id === null) return label.querySelector(labelable)
  const named = id === '' ? null : label.ownerDocument.getElementById(id)
  return named?.matches(labelable) ? named : null
}

function labelsOf(control: Element): HTMLLabelElement[] {
  const around = control.closest('label')
  const { id } = control
  if (id === '') return around && controlOf(around) === control ? [around] : []
  // Asked for its length or iterated, jsdom's collection looks for an element of that name among all of them each time.
  const all: HTMLLabelElement[] = Array.prototype.slice.call(control.ownerDocument.getElementsByTagName('label'))
  return all.filter((label) => (label === around || label.getAttribute('for') === id) && controlOf(label) === control)
}

const controls = [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLOutputElement]

export function quickenLabels(): void {
  Object.defineProperty(HTMLLabelElement.prototype, 'control', {
    get(this: HTMLLabelElement) {
      return controlOf(this)
    },
  })
  for (const { prototype } of controls) {
    Object.defineProperty(prototype, 'labels', {
      get(this: HTMLElement) {
        return this instanceof HTMLInputElement && this.type === 'hidden' ? null : labelsOf(this)
      },
    })
  }
}
