// Runs one visit of the lobby monitor in Chromium, and kills itself with kill -9 at a moment. Prints all
// moments if it was not killed. Usage: node visit-until-killed.ts CONNECTION ENVIRONMENT VISIT MOMENT
import { readSettings } from '../../src/config/settings.ts'
import { openWorld } from '../../src/database/open.ts'
import { openPageRenderer } from '../../src/instance/open-page-renderer.ts'
import { runVisit } from '../../src/observation/index.ts'
import { killingAt } from './killing-at.ts'

const [connection = '', environment = '', visit = '', moment = ''] = process.argv.slice(2)
const { pass, plugin, moments } = killingAt(moment)
const world = openWorld('public', { connection: JSON.parse(connection) })
const renderer = openPageRenderer(readSettings(JSON.parse(environment)))

/** The site answers after this time, so that the visit is under way. */
const inRenderMs = 400

const killed = {
  async render(request: Parameters<typeof renderer.render>[0]) {
    pass('before a render')
    await renderer.probe()
    const timer = setTimeout(() => pass('in a render'), inRenderMs)
    const seen = await renderer.render(request)
    clearTimeout(timer)
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
