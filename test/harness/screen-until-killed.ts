// Screens portfolios and kills itself with kill -9 before or after one of its statements. Prints the number
// of points if it was not killed. Usage: node screen-until-killed.ts CONNECTION POINT
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { openWorld } from '../../src/database/open.ts'
import { screenPortfolios } from '../../src/instance/tasks/screening-tasks.ts'

const [connection = '', point = ''] = process.argv.slice(2)
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

const world = openWorld('public', { connection: JSON.parse(connection) })
const database = world.database.withPlugin(killing)
const { signal } = new AbortController()
const task = screenPortfolios({ now: () => new Date() })
await task.run({}, { world: { ...world, database }, log: pino({ level: 'silent' }), signal })
pass()
await world.close()
console.log(JSON.stringify({ moments }))
