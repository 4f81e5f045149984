// Kills the service, its PostgreSQL, or the power of both, at a random moment while clients pay, and counts
// the answered charges against the ledger after each: `npm run kill-rounds -- --rounds 1000`. 32 clients pay,
// or as many as `--payers` says: a few are enough beside other work. Each round is a line that is appended
// to `--log FILE` (var/kill-rounds.log). A summary is printed at the end, or after the round in which a
// SIGTERM comes. Power is cut where root may mount an image: the image is copied without what was not
// synced, and the service goes on with the copy.
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findRunning } from '@baize/data-directory'
import { connectionTo } from '../src/instance/index.ts'
import { withClient } from '../test/harness/client.ts'
import { eventually } from '../test/harness/eventually.ts'
import { killServersBelow, serversBelow } from '../test/harness/processes.ts'
import { freePort, type Instance, runProgram, startInstance } from '../test/harness/program.ts'
import { openDisk } from './kill-rounds/disk.ts'
import { countCharges, startPayers } from './rehearse-cluster/payers.ts'
import { requireThat } from './require-that.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    payers: { type: 'string', default: '32' },
    log: { type: 'string', default: 'var/kill-rounds.log' },
  },
})
const roundsCount = Number(values.rounds)
const log = resolve(values.log)
const longestWaitMs = 2_000
const credits = 100_000_000

await using undo = new AsyncDisposableStack()
const disk = await openDisk()
undo.defer(() => disk.close())
console.log(
  disk.canLosePower
    ? 'with power losses'
    : 'without power losses: an image cannot be mounted here (needs root)',
)
const environment = { DATA_DIR: join(disk.path, 'data'), LOG_LEVEL: 'error' }
const port = String(await freePort())
const start = () => startInstance('start', { ...environment, PORT: port })
let instance: Instance = await start()
undo.defer(() => endAll())

async function baize(...args: string[]) {
  const { code, stdout, stderr } = await runProgram('cli', [...args, '--json'], environment)
  if (code !== 0) throw new Error(`baize ${args.join(' ')} failed: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}
const created = ['account', 'create', '--name', 'K', '--plan', 'growth', '--credits', String(credits)]
const { account_ref: accountRef } = await baize(...created)
const { api_key: key } = await baize('key', 'create', accountRef)
const payers = startPayers({ urls: [instance.url], key }, Number(values.payers))
undo.defer(() => payers.stop())

/** Returns the connection to the embedded server, whose address can change with a start. */
async function database() {
  const running = await findRunning(environment.DATA_DIR)
  if (running === null) throw new Error('the service has ended')
  return connectionTo(running.database)
}

/** A stopped server would not see that its program has ended. */
async function endAll({ areStopped = false } = {}): Promise<void> {
  await instance.kill()
  if (areStopped) await killServersBelow(disk.path)
  await eventually('no server is left', async () => (await serversBelow(disk.path)).length === 0)
}

const faults: Record<string, () => Promise<void>> = {
  service: async () => {
    await endAll()
    instance = await start()
  },
  postgresql: async () => {
    const { rows } = await withClient(await database(), client =>
      client.query(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`),
    )
    process.kill(rows[0].pid, 'SIGKILL')
  },
  connection: async () => {
    const { rows } = await withClient(await database(), client =>
      client.query(
        `select pid from pg_stat_activity where application_name like 'baize %' order by random() limit 1`,
      ),
    )
    if (rows[0] !== undefined) process.kill(rows[0].pid, 'SIGKILL')
  },
  ...(disk.canLosePower
    ? {
        power: async () => {
          await disk.losePower(
            async () => [instance.pid, ...(await serversBelow(disk.path))],
            () => endAll({ areStopped: true }),
          )
          instance = await start()
        },
      }
    : {}),
}

await mkdir(dirname(log), { recursive: true })
const names = Object.keys(faults)
const outages: Record<string, number[]> = Object.fromEntries(names.map(name => [name, []]))
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
let round = 0
while (round < roundsCount && !stopping.signal.aborted) {
  round++
  const name = names[Math.floor(Math.random() * names.length)] as string
  await payers.untilNoted(payers.noted.size + 50)
  await pause(Math.random() * longestWaitMs)
  payers.forgetErrors()
  await faults[name]?.()
  await payers.untilNoted(payers.noted.size + 50)
  const { lost, doubled } = await countCharges({ database: await database(), accountRef }, payers)
  const seconds = payers.errorsMs() / 1_000
  outages[name]?.push(seconds)
  const counts = `${payers.noted.size} answered, ${lost} lost, ${doubled} doubled`
  const line = `${round} ${name} ${seconds.toFixed(1)} s, ${counts}`
  await appendFile(log, `${line}\n`)
  requireThat(lost === 0 && doubled === 0, line)
}
await payers.stop()
for (const [name, all] of Object.entries(outages))
  if (all.length > 0)
    console.log(
      `${name}: ${all.length} rounds, longest outage ${Math.max(...all).toFixed(1)} s, 0 lost, 0 doubled`,
    )
await baize('verify')
console.log(`${round} rounds, ${payers.noted.size} answered charges: verify finds no difference. ${log}`)
