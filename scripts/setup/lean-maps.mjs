/** The chunk of the libraries. */
export const libraries = 'libraries'

/**
 * For rolldown: maps that name the lines of our own sources and hold nothing else, for Node keeps in memory what it
 * reads of them. The sources are in the checkout; nobody looks for lines of libraries by ours.
 */
export const leanMaps = () => ({
  name: 'lean-maps',
  generateBundle(_options, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (name.startsWith(libraries)) delete bundle[name].map
      if (name.startsWith(libraries) && name.endsWith('.map')) delete bundle[name]
      else if (name.endsWith('.map')) file.source = withoutContents(file.source)
    }
  },
})

const withoutContents = (map) => JSON.stringify({ ...JSON.parse(String(map)), sourcesContent: undefined })
