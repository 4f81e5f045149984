import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { eventually } from '../../test/harness/eventually.ts'
import type { Clock } from './clock.ts'
import { fillDisk } from './disks.ts'
import type { PatroniServer } from './patroni-server.ts'
import type { Payers } from './payers.ts'
import { signalAll } from './processes.ts'
import type { Cluster } from './start-cluster.ts'
import type { Service } from './start-service.ts'

export const fullMs = 60_000
const frozenMs = 30_000
const changesWithinMs = 120_000

/** Fills the disk of the synchronous standby until it receives nothing more, and makes room again. */
export async function fillStandby(cluster: Cluster): Promise<void> {
  const standby = await cluster.synchronousStandby()
  const leader = await cluster.leader()
  const makeRoom = await fillDisk(standby.directory)
  try {
    await eventually(
      'the standby receives nothing more',
      async () => {
        await switchWal(leader)
        const rows = await leader.query<{ name: string }>(
          `select application_name as name from pg_stat_replication where state = 'streaming'`,
        )
        return rows.every(({ name }) => name !== standby.name)
      },
      changesWithinMs,
    )
    await pause(fullMs)
  } finally {
    await makeRoom()
  }
  await cluster.untilWhole()
}

/**
 * Fills the disk of the primary until it refuses charges, and makes room again. PostgreSQL stops where it
 * cannot write WAL, and another server is promoted. Where it can, it goes on leading and refuses each write.
 */
export async function fillPrimary(cluster: Cluster, payers: Payers): Promise<void> {
  const leader = await cluster.leader()
  const makeRoom = await fillDisk(leader.directory)
  try {
    await eventually(
      'charges are refused',
      async () => {
        await switchWal(leader)
        return payers.refusals().size > 0
      },
      changesWithinMs,
    )
    await pause(fullMs)
  } finally {
    await makeRoom()
  }
  await cluster.untilWhole()
}

/** Lets the server begin a new file, for which a full disk has no room. */
async function switchWal(server: PatroniServer): Promise<void> {
  await server.query('select pg_switch_wal()').catch(() => {})
  await pause(1_000)
}

/** Takes all connections of the primary, ends those of the service, and gives them back. */
export async function takeConnections(cluster: Cluster, service: Service): Promise<void> {
  const leader = await cluster.leader()
  const others: pg.Client[] = []
  const takeOne = async () => {
    const other = new pg.Client({ connectionString: service.urlOf(leader.address) })
    other.on('error', () => {})
    const isOpen = await other.connect().then(
      () => true,
      () => false,
    )
    if (isOpen) others.push(other)
    return isOpen
  }
  const takeAll = async () => {
    while (await takeOne());
  }
  const endOfService = `
    select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'baize %'`
  try {
    await takeAll()
    const untilMs = Date.now() + frozenMs
    while (Date.now() < untilMs) {
      await leader.query(endOfService).catch(() => {})
      await takeAll()
      await pause(100)
    }
  } finally {
    for (const each of others) await each.end()
  }
}

export async function freezeRedis({ redis }: Service): Promise<void> {
  const pid = redis?.child.pid ?? 0
  signalAll([pid], 'SIGSTOP')
  await pause(frozenMs)
  signalAll([pid], 'SIGCONT')
}

/** Without etcd no server may lead. It answers again with what it had. */
export async function freezeEtcd(cluster: Cluster, ms: number): Promise<void> {
  signalAll([cluster.etcdPid], 'SIGSTOP')
  await pause(ms)
  signalAll([cluster.etcdPid], 'SIGCONT')
  await cluster.untilWhole()
}

const jumps = [0.5, 3, -2, 30, -30, 0]

/** Lets the clock of an API process jump, then that of the primary and its Patroni, while charges flow. */
export async function jumpClocks(cluster: Cluster, clock: Clock, payers: Payers): Promise<void> {
  const leader = await cluster.leader()
  for (const name of ['api', leader.name])
    for (const hours of jumps) {
      await clock.jump(name, hours)
      await payers.untilNoted(payers.noted.size + 200)
      await pause(5_000)
    }
  await cluster.untilWhole()
}
