/** The screen's own place in the navigation. */
export const place = 'tools/retention'
