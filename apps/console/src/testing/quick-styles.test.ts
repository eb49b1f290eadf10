import { expect, it } from 'vitest'

const page = `
  <main><p>Text <span>within</span><b hidden>none</b></p><section hidden><i>kept</i></section>
    <div style="display: none"><em>kept</em></div><div style="visibility: hidden"><u>hidden</u></div></main>
  <details><summary>Closed</summary><p>More</p></details><details open><summary>Open</summary></details>
  <dialog><button>No</button></dialog><dialog open><button type="submit">Yes</button></dialog><div popover>Menu</div>
  <form><input type="hidden"><input type="checkbox"><select><option>A</option></select><textarea></textarea></form>
  <ul><li>One</li></ul><template></template><svg><title>Icon</title><path></path></svg>
  <table><thead><tr><th>A</th></tr></thead><tbody><tr hidden><td>1</td></tr><tr><td>2</td></tr></tbody></table>`

const stylesOf = () =>
  [...document.body.querySelectorAll('*')].map((element) => {
    const style = getComputedStyle(element)
    const { display, visibility, color } = style
    const asked = ['display', 'visibility', 'color'].map((name) => style.getPropertyValue(name))
    return [element.outerHTML, display, visibility, color, ...asked]
  })

it('answers of every element what jsdom finds by its rules', () => {
  document.body.innerHTML = page
  const quick = stylesOf()
  // With a style sheet of the page's own, jsdom is asked each time.
  document.head.append(document.createElement('style'))
  const sound = stylesOf()
  document.head.replaceChildren()
  expect(quick).toEqual(sound)
  expect(new Set(quick.map(([, display]) => display)).size).toBeGreaterThan(6)
  expect(quick.filter(([, , visibility]) => visibility === 'hidden')).toHaveLength(2)
})

it('knows what a style sheet of the page says', () => {
  const paragraph = document.body.appendChild(document.createElement('p'))
  const style = document.head.appendChild(document.createElement('style'))
  expect(getComputedStyle(paragraph).display).toBe('block')
  style.textContent = 'p { display: none }'
  expect(getComputedStyle(paragraph).display).toBe('none')
  style.remove()
  expect(getComputedStyle(paragraph).display).toBe('block')
})
