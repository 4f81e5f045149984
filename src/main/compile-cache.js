import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

<<<<<<< HEAD
// Caches compiled code between starts; imported before the executables (`node --import`), so in JavaScript. A cached start
// skips type stripping and needs 16 MB less. The cache is below node_modules, which belongs to the owner of the code: in a
// directory that others can write to they could place code. If it cannot be written, nothing is cached.
=======
// Imported before an executable (`node --import`). Caches the compiled code, so that later starts do not strip types.
// JavaScript, so that no file needs stripping before the cache is enabled. Below node_modules, because a cache that other
// users can write to would run their code. If it cannot be written, nothing is cached.
>>>>>>> 26e4cbb (Describe streams, files, journal and fetches plainly)
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
