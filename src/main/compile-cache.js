import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Imported before an executable (`node --import`), and not in TypeScript: so all of them are found with their types stripped.
// Keeps what Node compiles from one start to the next. A start that finds it is faster by the stripping and smaller by the
// stripper. Below node_modules, which is whoever's the code is: a cache in a directory that others can write to would be
// code of theirs. Where it cannot be written, nothing is kept.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
