import { serializerCompiler } from 'fastify-type-provider-zod'

/**
 * Checks answers by the schemas of their rows and writes them as JSON. One that is frozen is checked and written once,
 * however many ask for it: nobody can change it.
 */
export const answerCompiler: typeof serializerCompiler = (route) => {
  const write = serializerCompiler(route)
  const written = new WeakMap<object, string>()
  return (answer: unknown) => {
    if (typeof answer !== 'object' || answer === null || !Object.isFrozen(answer)) return write(answer)
    const before = written.get(answer)
    if (before !== undefined) return before
    const text = write(answer)
    written.set(answer, text)
    return text
  }
}
