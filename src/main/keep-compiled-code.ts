import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps what Node compiles, types already stripped, from one start to the next. A start that finds it is faster by the
 * stripping and smaller by the stripper (about 20 MB). Below node_modules, which is whoever's the code is: a cache in a
 * directory that others can write to would be code of theirs. Where it cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
}
