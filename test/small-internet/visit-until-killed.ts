// Runs one visit of the lobby monitor in Chromium, and kills itself with kill -9 at a moment. Prints the
// pids of Chromium before its visit, or at the moment `never` all moments at the end. Usage: node
// visit-until-killed.ts CONNECTION ENVIRONMENT VISIT MOMENT
import { readSettings } from '../../src/config/settings.ts'
import { openWorld } from '../../src/database/open.ts'
import { openPageRenderer } from '../../src/instance/open-page-renderer.ts'
import { runVisit } from '../../src/observation/index.ts'
import { chromiumsOf } from './drawn-sites.ts'
import { killingAt } from './killing-at.ts'

const [connection = '', environment = '', visit = '', moment = ''] = process.argv.slice(2)
const { pass, plugin, moments } = killingAt(moment)
const world = openWorld('public', { connection: JSON.parse(connection) })
const renderer = openPageRenderer(readSettings(JSON.parse(environment)))

let isUnderWay = false
const killed = {
  async render(request: Parameters<typeof renderer.render>[0]) {
    pass('before a render')
    await renderer.probe()
    if (moment !== 'never') console.log(JSON.stringify({ chromiums: await chromiumsOf(process.pid) }))
    const seen = await renderer.render({
      ...request,
      async mayRequest() {
        // Chromium asks for the page.
        if (!isUnderWay) pass('in a render')
        isUnderWay = true
        return true
      },
    })
    pass('after a render')
    return seen
  },
}

await runVisit(Number(visit), {
  world: { ...world, database: world.database.withPlugin(plugin) },
  renderer: killed,
  country: null,
  now: () => new Date(),
  signal: new AbortController().signal,
})
pass('after the commit')
await renderer.close()
await world.close()
console.log(JSON.stringify({ moments }))
