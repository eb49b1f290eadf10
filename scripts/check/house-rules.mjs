const emptyNames = /^(utils?|helpers?|common|misc|services?|managers?|types|constants?)$/
const machinePath = /(?<![\w.])\/(?:work|root|home)\//
const marker = /\b(?:FIX(?:ME)|X{3})\b/

/**
 * @param {string} path
 * @returns {string[]} a sentence for every part of the path that says nothing about what is inside
 */
export function nameFaults(path) {
  return path
    .split('/')
    .map((part) => part.replace(/^\./, '').split('.')[0] ?? '')
    .filter((name) => emptyNames.test(name))
    .map(
      (name) =>
        `${path}: "${name}" says nothing about what is inside; name it after the thing of the product it holds.`,
    )
}

/**
 * @param {string} path
 * @param {string} text the file's content
 * @returns {string[]} a sentence for every line that names a place on one machine or carries a marker that nobody will follow
 */
export function wordFaults(path, text) {
  return text.split('\n').flatMap((line, index) => {
    const place = `${path}:${index + 1}`
    return [
      ...(machinePath.test(line) ? [`${place} names a path of one machine: ${machinePath.exec(line)?.[0]}`] : []),
      ...(marker.test(line)
        ? [`${place} carries the marker ${marker.exec(line)?.[0]}: do it, or write a TODO that says why not now.`]
        : []),
    ]
  })
}
