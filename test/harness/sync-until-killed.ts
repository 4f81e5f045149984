// Syncs one snapshot and kills itself with kill -9 before the statement of this number. Prints "done" if it
// was not killed. Usage: node sync-until-killed.ts CONNECTION STATEMENTS ROWS…
import type { KyselyPlugin } from 'kysely'
import { openWorld } from '../../src/database/open.ts'
import { fakeStream, fileOf, syncApproved } from '../../src/registers/fixture.ts'

const [connection = '', statements = '', takenAt = '', ...rows] = process.argv.slice(2)
let left = Number(statements)
const killing: KyselyPlugin = {
  transformQuery: ({ node }) => {
    left -= 1
    if (left < 0) process.kill(process.pid, 'SIGKILL')
    return node
  },
  transformResult: async ({ result }) => result,
}
const world = openWorld('public', { connection: JSON.parse(connection) })
const database = world.database.withPlugin(killing)
const time = new Date(takenAt)
const report = await syncApproved(
  { ...world, database },
  fakeStream('ukgc.licences'),
  [fileOf(...rows.map(row => JSON.parse(row)))],
  { takenAt: time, now: time },
)
await world.close()
console.log(JSON.stringify({ status: report.status, statements: Number(statements) - left }))
