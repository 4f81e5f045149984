// Runs one check and kills itself with kill -9 at a moment: before or after one of its statements, requests
// or files. Prints the place of each moment if it was not killed. Usage: node check-until-killed.ts
// CONNECTION ENVIRONMENT FOLDER CHECK MOMENT, which is a number or the name of the first one to die at.

import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { readSettings } from '../../src/config/settings.ts'
import { openWorld } from '../../src/database/open.ts'
import { openPageRenderer } from '../../src/instance/open-page-renderer.ts'
import { lookSettingsOf } from '../../src/instance/tasks/check-tasks.ts'
import { openLookTools, runCheck } from '../../src/observation/index.ts'
import { killingAt } from './killing-at.ts'

const [connection = '', environment = '', folder = '', check = '', moment = ''] = process.argv.slice(2)
const { pass, plugin, moments } = killingAt(moment)

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
const database = world.database.withPlugin(plugin)
const now = () => new Date()
const settings = readSettings(JSON.parse(environment))
const renderer = openPageRenderer(settings)
const look = lookSettingsOf(settings, { now, refreshes: false, renderer })

function openTools(signal: AbortSignal) {
  const tools = openLookTools(look, { database, now, signal })
  const { render } = tools
  return {
    ...tools,
    ...(render === undefined
      ? {}
      : {
          async render(...[request]: Parameters<typeof render>) {
            pass('before a render')
            const seen = await render(request)
            pass('after a render')
            return seen
          },
        }),
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
await renderer.close()
await world.close()
console.log(JSON.stringify({ moments }))
