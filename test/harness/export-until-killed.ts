// Writes one export and kills itself with kill -9 at a point: before or after one of its statements, or
// before, during or after writing the file. Prints the number of points if it was not killed. Usage: node
// export-until-killed.ts CONNECTION FOLDER EXPORT POINT
import { Readable } from 'node:stream'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import type { KyselyPlugin } from 'kysely'
import { openWorld } from '../../src/database/open.ts'
import { writeExport } from '../../src/features/exports/index.ts'

const [connection = '', folder = '', id = '', point = ''] = process.argv.slice(2)
let moments = 0
function pass(): void {
  moments += 1
  if (moments === Number(point)) process.kill(process.pid, 'SIGKILL')
}

const killing: KyselyPlugin = {
  transformQuery: ({ node }) => {
    pass()
    return node
  },
  transformResult: async ({ result }) => {
    pass()
    return result
  },
}

const store = openFileStore({ kind: 'folder', path: folder })
async function* passed(content: Readable): AsyncGenerator<Buffer, void> {
  for await (const chunk of content) {
    pass()
    yield chunk
  }
}
const files: FileStore = {
  ...store,
  async put(name, content) {
    pass()
    const put = await store.put(name, Readable.from(passed(content)))
    pass()
    return put
  },
}

const world = openWorld('public', { connection: JSON.parse(connection) })
const database = world.database.withPlugin(killing)
const { signal } = new AbortController()
const options = { files, logoUrl: 'http://baize.test/logos', now: () => new Date(), signal }
await writeExport({ ...world, database }, Number(id), options)
pass()
await world.close()
console.log(JSON.stringify({ moments }))
