/** The words of a search in lower case; each is to be found, wherever in an entry it stands. */
export const searchWords = (text = '') => text.toLowerCase().split(/\s+/).filter(Boolean)
