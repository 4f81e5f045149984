// Runs a cluster on this machine (three PostgreSQL under Patroni, etcd, HAProxy, two API processes, two
// workers), breaks its primary in several ways while clients pay, and counts the answered charges against
// the ledger after each: `npm run rehearse:cluster`. `-- --short`: one kill, one switchover, one
// partition; `-- --kills 3 --freezes 1 --switchovers 0 --partitions 0`: so many of each.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freeze, kill, partition, switchOver } from './rehearse-cluster/faults.ts'
import { openNetwork } from './rehearse-cluster/network.ts'
import { type Count, countCharges, type Payers, startPayers } from './rehearse-cluster/payers.ts'
import { missingPrograms } from './rehearse-cluster/processes.ts'
import { type Cluster, names, startCluster } from './rehearse-cluster/start-cluster.ts'
import { type Service, startService } from './rehearse-cluster/start-service.ts'
import { requireThat } from './require-that.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    kills: { type: 'string' },
    freezes: { type: 'string' },
    switchovers: { type: 'string' },
    partitions: { type: 'string' },
  },
})
const rounds = (given: string | undefined, whole: number, short: number) =>
  Number(given ?? (values.short ? short : whole))
const kills = rounds(values.kills, 10, 1)
const freezes = rounds(values.freezes, 5, 0)
const switchovers = rounds(values.switchovers, 3, 1)
const partitions = rounds(values.partitions, 1, 1)
/** Exceeds the ttl of cluster/patroni.yaml, so that another server is promoted meanwhile. */
const awayMs = 60_000
/** The ttl, ten seconds for the promotion, and the longest wait for a silent server. */
const errorsEndWithinMs = 30_000 + 10_000 + 15_000

const missing = await missingPrograms()
if (missing.length > 0) {
  console.log(`Skipped: ${missing.join(', ')} missing. On Debian, as root:`)
  console.log('  apt-get install --no-install-recommends patroni etcd-server haproxy postgresql-15')
  process.exit(0)
}

const directory = await mkdtemp(join(tmpdir(), 'baize-cluster-'))
await using undo = new AsyncDisposableStack()
let isComplete = false
undo.defer(async () => {
  if (isComplete) await rm(directory, { recursive: true, force: true })
  else console.log(`The logs of the servers are in ${directory}.`)
})
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void undo.disposeAsync().finally(() => process.exit(1)))
const network = partitions > 0 ? await openNetwork(names) : null
undo.defer(() => network?.close())
const cluster = await startCluster(directory, network)
undo.defer(() => cluster.stop())
const service = await startService(cluster, directory)
undo.defer(() => service.stop())
const payers = startPayers(service)
undo.defer(() => payers.stop())

console.log('with a synchronous standby')
for (let round = 1; round <= kills; round++) await rehearse(`kill ${round}`, () => kill(cluster))
for (let round = 1; round <= freezes; round++)
  await rehearse(`freeze ${round}`, () => freeze(cluster, awayMs))
for (let round = 1; round <= switchovers; round++)
  await rehearse(`switchover ${round}`, () => switchOver(cluster))
if (network !== null)
  for (let round = 1; round <= partitions; round++)
    await rehearse(`partition ${round}`, () => partition(cluster, network, awayMs))

await payers.stop()
requireThat(await service.verifies(), '`baize verify` finds no difference')
const { readiness } = service
requireThat(
  (await readiness()).every(each => each.warning === undefined),
  '/readyz has no warning',
)

console.log('with asynchronous standbys only')
await cluster.beAsynchronous()
await rehearseLoss(cluster, service)
isComplete = true
const partitioned =
  network === null && partitions > 0 ? 'network partitions (they need root and ip netns), ' : ''
console.log(`Left out: ${partitioned}a restore with pgBackRest, Redis and S3.`)

async function rehearse(what: string, fault: () => Promise<void>): Promise<void> {
  const before = payers.noted.size
  await payers.untilNoted(before + 100)
  payers.forgetErrors()
  await fault()
  await payers.untilNoted(payers.noted.size + 100)
  await payers.untilCalm()
  report(what, payers, await countCharges(service, payers))
  requireThat(payers.errorsMs() <= errorsEndWithinMs, `errors end within ${errorsEndWithinMs / 1_000} s`)
  requireThat(service.isUnchanged(), 'no process was restarted')
}

function report(what: string, { noted, errorsMs }: Payers, { lost, doubled }: Count): void {
  const errors = `${(errorsMs() / 1_000).toFixed(1)} s of errors`
  console.log(
    `  ${what.padEnd(14)} ${errors.padEnd(20)} ${noted.size} answered, ${lost} lost, ${doubled} doubled`,
  )
  requireThat(lost === 0 && doubled === 0, 'every answered charge is in the ledger once')
}

/** Charges are answered while no standby receives them, and the primary is lost. */
async function rehearseLoss(cluster: Cluster, service: Service): Promise<void> {
  const all = await service.untilWarned()
  requireThat(
    all.every(each => /no standby is synchronous/.test(each)),
    '/readyz warns of the loss',
  )
  const late = startPayers(service)
  await late.untilNoted(100)
  await cluster.freezeSenders()
  await late.untilNoted(late.noted.size + 100)
  await late.stop()
  await kill(cluster)
  await service.untilReady()
  const { lost, doubled } = await countCharges(service, late)
  const counts = `${late.noted.size} answered, ${lost} lost, ${doubled} doubled`
  console.log(`  kill           ${counts}: the loss that /readyz warned of`)
  requireThat(lost > 0 && doubled === 0, 'the asynchronous run shows the loss')
}
