let wide = true

/** Makes the window wide (tables, tabs) or narrow (cards, drawer) for the components drawn from now on. */
export function setWide(next: boolean): void {
  wide = next
}

// The console asks two things of a media query: is there room, and is the system's theme dark.
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    matches: query.includes('min-width') ? wide : false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })
