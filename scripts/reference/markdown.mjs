/**
 * Text as the content of a table cell.
 * @param {string} text
 */
export function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}
