// Runs a cluster on this machine (three PostgreSQL under Patroni, etcd, HAProxy, two API processes, two
// workers), breaks it in several ways while clients pay, and counts the answered charges against the ledger
// after each: `npm run rehearse:cluster`. `-- --short`: one kill, one switchover, one partition and the loss
// without a synchronous standby. `-- --only upgrade,restore`: these parts; `-- --rounds 3`: so many of each.
// `-- --older DIRECTORY`: the service is the release in that checkout, with its packages installed, until the
// upgrade.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openClock } from './rehearse-cluster/clock.ts'
import { mountDisk } from './rehearse-cluster/disks.ts'
import { freeze, kill, killStandby, partition, switchOver } from './rehearse-cluster/faults.ts'
import { mix } from './rehearse-cluster/mixed-load.ts'
import { openNetwork } from './rehearse-cluster/network.ts'
import { type Count, countCharges, type Payers, startPayers } from './rehearse-cluster/payers.ts'
import { missingPrograms } from './rehearse-cluster/processes.ts'
import { mayRestore, restore } from './rehearse-cluster/restore.ts'
import {
  fillPrimary,
  fillStandby,
  freezeEtcd,
  freezeRedis,
  fullMs,
  jumpClocks,
  takeConnections,
} from './rehearse-cluster/scarcity.ts'
import { names, startCluster } from './rehearse-cluster/start-cluster.ts'
import { startService } from './rehearse-cluster/start-service.ts'
import { upgradeServers, upgradeService } from './rehearse-cluster/upgrade.ts'
import { requireThat } from './require-that.ts'

/** Exceeds the ttl of cluster/patroni.yaml, so that another server is promoted meanwhile. */
const awayMs = 60_000
/** The ttl, ten seconds for the promotion, and the longest wait for a silent server. */
const errorsEndWithinMs = 30_000 + 10_000 + 15_000
/** A mixed load may not need more memory at its end than this much of what it needed at its second quarter. */
const memoryGrowthMax = 1.15

/** How often the whole form does each part, in this order. */
const parts = {
  ...{ kill: 10, freeze: 5, switchover: 3, standby: 1, partition: 1, isolation: 1 },
  ...{ connections: 1, redis: 1, etcd: 1, clock: 1, 'disk-standby': 1, 'disk-primary': 1 },
  ...{ sizes: 1, upgrade: 1, mixed: 1, restore: 1, asynchronous: 1 },
}
type Part = keyof typeof parts
const shortParts: Part[] = ['kill', 'switchover', 'partition', 'asynchronous']

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    older: { type: 'string' },
  },
})
const chosen = values.only?.split(',') ?? (values.short ? shortParts : Object.keys(parts))
const unknown = chosen.filter(part => !Object.hasOwn(parts, part))
if (unknown.length > 0) throw new Error(`${unknown} unknown. Parts: ${Object.keys(parts).join(', ')}`)
const roundsOf = (part: Part) =>
  chosen.includes(part) ? Number(values.rounds ?? (values.short ? 1 : parts[part])) : 0

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
  if (isComplete && process.exitCode === undefined) await rm(directory, { recursive: true, force: true })
  else console.log(`The logs of the servers are in ${directory}.`)
})
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void undo.disposeAsync().finally(() => process.exit(1)))
const leftOut: string[] = []
const needsDisks = chosen.some(part => part.startsWith('disk'))
let hasDisks = needsDisks
const needsNetwork = chosen.some(part => ['partition', 'isolation'].includes(part))
const network = needsNetwork ? await openNetwork(names) : null
undo.defer(() => network?.close())
const clock = chosen.includes('clock') ? await openClock(directory, ['api', ...names]) : null
const cluster = await startCluster(directory, {
  network,
  clock,
  mount: async place => {
    const unmount = needsDisks ? await mountDisk(place) : null
    if (unmount === null) hasDisks = false
    else undo.defer(unmount)
  },
})
undo.defer(() => cluster.stop())
const older = values.older === undefined ? null : pathToFileURL(`${resolve(values.older)}/`)
const service = await startService(cluster, directory, { clock, older })
undo.defer(() => service.close())

console.log('with a synchronous standby')
await withPayers({ urls: [...service.urls, cluster.apiUrl], key: service.key }, async payers => {
  await rehearse('kill', payers, () => kill(cluster))
  await rehearse('freeze', payers, () => freeze(cluster, awayMs))
  await rehearse('switchover', payers, () => switchOver(cluster))
  await rehearse('standby', payers, () => killStandby(cluster, awayMs))
  for (const [part, how] of [
    ['partition', 'cut'],
    ['isolation', 'isolate'],
  ] as const)
    if (network === null) leaveOut(part, 'needs root and ip netns')
    else await rehearse(part, payers, () => partition(cluster, network, { ms: awayMs, how }))
  await rehearse('connections', payers, () => takeConnections(cluster, service))
  if (service.redis === null) leaveOut('redis', 'needs redis-server')
  else await rehearse('redis', payers, () => freezeRedis(service))
  await rehearse('etcd', payers, () => freezeEtcd(cluster, awayMs), awayMs)
  if (clock === null) leaveOut('clock', 'needs libfaketime')
  else await rehearse('clock', payers, () => jumpClocks(cluster, clock, payers))
  for (const part of ['disk-standby', 'disk-primary'] as const)
    if (!hasDisks) leaveOut(part, 'needs root, to mount an image')
  if (hasDisks) {
    await rehearse('disk-standby', payers, () => fillStandby(cluster))
    await rehearse('disk-primary', payers, () => fillPrimary(cluster, payers), fullMs)
  }
  await rehearse('sizes', payers, () => measureSizes(payers))
  await rehearse('mixed', payers, rehearseMixed)
})
if (roundsOf('upgrade') > 0)
  await withPayers({ urls: [cluster.apiUrl], key: service.key }, async payers => {
    await rehearse('upgrade', payers, async () => {
      await upgradeService(service, payers)
      const all = await countCharges(service, payers)
      report('API processes', payers, all)
      requireThat(payers.refusals().size === 0, 'no request fails while API processes are replaced')
      payers.forgetErrors()
      await upgradeServers(cluster)
      const others = [...payers.refusals().keys()].filter(status => status !== 503)
      requireThat(others.length === 0, `a failed request is answered 503, not ${others}`)
    })
  })
requireThat(await service.verifies(), '`baize verify` finds no difference')
requireThat(
  (await service.readiness()).every(each => each.warning === undefined),
  '/readyz has no warning',
)
if (roundsOf('restore') > 0) {
  if (mayRestore) await rehearseRestore()
  else leaveOut('restore', 'needs pgbackrest')
}
if (roundsOf('asynchronous') > 0) {
  console.log('with asynchronous standbys only')
  await cluster.beAsynchronous()
  await rehearseLoss()
}
isComplete = true
if (leftOut.length > 0) console.log(`Left out: ${leftOut.join('; ')}.`)

function leaveOut(part: Part, reason: string): void {
  if (roundsOf(part) > 0) leftOut.push(`${part} (${reason})`)
}

async function withPayers(target: Parameters<typeof startPayers>[0], use: (payers: Payers) => Promise<void>) {
  const payers = startPayers(target)
  try {
    await use(payers)
  } finally {
    await payers.stop()
  }
}

async function rehearse(part: Part, payers: Payers, fault: () => Promise<void>, longerMs = 0): Promise<void> {
  for (let round = 1; round <= roundsOf(part); round++) {
    await payers.untilNoted(payers.noted.size + 100)
    payers.forgetErrors()
    await fault()
    await payers.untilNoted(payers.noted.size + 100)
    await payers.untilCalm()
    await service.untilJobIsDone()
    await service.untilStandbyIsRead()
    report(`${part} ${round}`, payers, await countCharges(service, payers))
    const withinMs = errorsEndWithinMs + longerMs
    requireThat(payers.errorsMs() <= withinMs, `errors end within ${withinMs / 1_000} s`)
    requireThat(service.isUnchanged(), 'no process was restarted')
  }
}

function report(what: string, payers: Payers, { lost, doubled }: Count): void {
  requireThat(payers.unpromising() === 0, 'each 503 has Retry-After')
  const { noted, errorsMs, refusals } = payers
  const statuses = [...refusals()].map(([status, count]) => `${count} × ${status ?? 'no answer'}`)
  const shown = statuses.length > 0 ? ` (${statuses.join(', ')})` : ''
  const errors = `${(errorsMs() / 1_000).toFixed(1)} s of errors${shown}`
  console.log(
    `  ${what.padEnd(14)} ${errors.padEnd(20)} ${noted.size} answered, ${lost} lost, ${doubled} doubled`,
  )
  requireThat(lost === 0 && doubled === 0, 'every answered charge is in the ledger once')
}

/** Measures what a charge writes after a checkpoint, when a first change writes a whole page, and later. */
async function measureSizes(payers: Payers): Promise<void> {
  const leader = await cluster.leader()
  const look = async () => {
    const [sizes] = await leader.query<{ wal: string; disk: string }>(`
      select pg_current_wal_lsn() - '0/0' as wal, pg_database_size('baize') as disk`)
    return { charges: payers.noted.size, wal: Number(sizes?.wal), disk: Number(sizes?.disk) }
  }
  await leader.query('checkpoint')
  let before = await look()
  for (const when of ['after a checkpoint', 'then', 'then']) {
    await payers.untilNoted(before.charges + 10_000)
    const after = await look()
    const charges = after.charges - before.charges
    const ofCharge = (size: 'wal' | 'disk') => ((after[size] - before[size]) / charges).toFixed(0)
    const sizes = `${ofCharge('wal')} bytes of WAL and ${ofCharge('disk')} of disk a charge`
    console.log(`    ${when}, ${charges} charges after ${before.charges}: ${sizes}`)
    before = after
  }
}

async function rehearseMixed(): Promise<void> {
  const { answers, failures, memoryMb } = await mix(service, Number(values.minutes))
  const quarter = (number: number) => {
    const each = memoryMb.slice((number * memoryMb.length) / 4, ((number + 1) * memoryMb.length) / 4)
    return each.reduce((sum, memory) => sum + memory, 0) / each.length
  }
  const [early, late] = [quarter(1), quarter(3)]
  const memory = memoryMb.map(Math.round).join(' ')
  console.log(`    ${answers} reads beside, ${failures} failed; MB of both API processes: ${memory}`)
  requireThat(failures === 0, 'no read fails')
  requireThat(late <= memoryGrowthMax * early, 'memory is flat')
}

async function rehearseRestore(): Promise<void> {
  const { before, after, lost, doubled, tooMany, isVerified } = await restore(cluster, service, directory)
  console.log(
    `  restore        ${before} answered before the point, ${lost} lost, ${doubled} doubled; ` +
      `${tooMany} of ${after} after it; verify finds ${isVerified ? 'no difference' : 'differences'}`,
  )
  requireThat(lost === 0 && doubled === 0 && tooMany === 0 && isVerified, 'the restored ledger ends there')
  await withPayers(service, payers => payers.untilNoted(100))
}

/** Charges are answered while no standby receives them, and the primary is lost. */
async function rehearseLoss(): Promise<void> {
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
