// Runs one check and kills itself with kill -9 at a moment: before or after one of its statements, requests
// or files. Prints the place of each moment if it was not killed. Usage: node check-until-killed.ts
// CONNECTION ENVIRONMENT FOLDER CHECK MOMENT
import type { KyselyPlugin } from 'kysely'
import { readSettings } from '../../src/config/settings.ts'
import type { FileStore } from '../../src/core/file-store.ts'
import { openWorld } from '../../src/database/open.ts'
import { openFileStore } from '../../src/files/index.ts'
import { lookSettingsOf } from '../../src/instance/tasks/check-tasks.ts'
import { openLookTools, runCheck } from '../../src/observation/index.ts'

const [connection = '', environment = '', folder = '', check = '', moment = ''] = process.argv.slice(2)
const moments: string[] = []
function pass(where: string): void {
  moments.push(where)
  if (moments.length === Number(moment)) process.kill(process.pid, 'SIGKILL')
}

const killing: KyselyPlugin = {
  transformQuery: ({ node }) => {
    pass('before a statement')
    return node
  },
  transformResult: async ({ result }) => {
    pass('after a statement')
    return result
  },
}

const store = openFileStore({ kind: 'folder', path: folder })
const files: FileStore = {
  ...store,
  async put(name, content) {
    pass('before a file')
    const put = await store.put(name, content)
    pass('after a file')
    return put
  },
}

const world = openWorld('public', { connection: JSON.parse(connection) })
const database = world.database.withPlugin(killing)
const now = () => new Date()
const look = lookSettingsOf(readSettings(JSON.parse(environment)), { now, refreshes: false })

function openTools(signal: AbortSignal) {
  const tools = openLookTools(look, { database, now, signal })
  return {
    ...tools,
    async fetchPage(...[url, limits]: Parameters<typeof tools.fetchPage>) {
      pass('before a request')
      const page = await tools.fetchPage(url, limits)
      pass('after a request')
      return page
    },
  }
}

const options = {
  world: { ...world, database },
  files,
  openTools,
  userAgent: look.userAgent,
  now,
  signal: new AbortController().signal,
}
await runCheck(Number(check), options)
pass('after the commit')
await world.close()
console.log(JSON.stringify({ moments }))
