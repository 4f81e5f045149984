import module from 'node:module'
import { fileURLToPath } from 'node:url'

const majorMin = 24
// Where the dependencies include no Node (macOS), an older one would only report a syntax error.
if (Number.parseInt(process.versions.node, 10) < majorMin) {
  console.error(`Baize needs Node ${majorMin} or later; this is ${process.versions.node}.`)
  process.exit(1)
}

// Imported before the executables (`node --import`), so in JavaScript. A cached start needs 16 MB less. Below
// node_modules, which belongs to the owner of the code: elsewhere others could place code in the cache. If
// it cannot be written, nothing is cached.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
