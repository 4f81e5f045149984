import { existsSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../../test/harness/eventually.ts'
import { type Count, countCharges, type Payers, startPayers } from './payers.ts'
import { postgresPrograms, serverUser } from './processes.ts'
import type { Cluster } from './start-cluster.ts'
import type { Service } from './start-service.ts'

const program = '/usr/bin/pgbackrest'
const stanza = '--stanza=baize'
export const mayRestore = existsSync(program)

/** The variable that names the file below, for `archive_command`, too. */
export const backupEnvironment = (directory: string): Record<string, string> => ({
  PGBACKREST_CONFIG: join(directory, 'pgbackrest.conf'),
})

export type Restored = Count & {
  /** Charges that were answered before the point in time, and after it. */
  before: number
  after: number
  /** How many of the charges after the point in time are in the restored ledger. */
  tooMany: number
  isVerified: boolean
}

/** Follows docs/running-a-cluster.md: archives, backs up, charges, and goes back to a moment between charges. */
export async function restore(cluster: Cluster, service: Service, directory: string): Promise<Restored> {
  await configure(cluster, directory)
  const leader = await cluster.leader()
  const backRest = (...args: string[]) => leader.run(program, [stanza, ...args])
  await cluster.archiveBy(`pgbackrest ${stanza} archive-push %p`)
  await backRest('stanza-create')
  await backRest('check')
  await backRest('--type=full', 'backup')
  const before = await pay(service)
  const [{ point = '' } = {}] = await leader.query<{ point: string }>(
    'select clock_timestamp()::text as point',
  )
  const after = await pay(service)
  await leader.query('select pg_switch_wal()')
  await backRest('check')

  await service.stop()
  await cluster.stopServers(leader)
  await backRest('--delta', '--type=time', `--target=${point}`, '--target-action=promote', 'restore')
  const control = (...args: string[]) =>
    leader.run(`${postgresPrograms}/pg_ctl`, ['-D', leader.data, '-w', ...args])
  // The backup names a synchronous standby, for which the first write would wait.
  await control('-l', join(leader.directory, 'restored.log'), '-o', '-c synchronous_standby_names=', 'start')
  await eventually(
    'the restored server takes writes',
    async () => (await leader.query<{ on: boolean }>('select pg_is_in_recovery() as on'))[0]?.on === false,
    120_000,
  )
  const isVerified = await service.verifies()
  const { lost, doubled } = await countCharges(service, before)
  const tooMany = after.noted.size - (await countCharges(service, after)).lost
  await control('-m', 'fast', 'stop')
  await cluster.startAnew(leader)
  await service.start()
  return { lost, doubled, tooMany, before: before.noted.size, after: after.noted.size, isVerified }
}

async function pay(service: Service): Promise<Payers> {
  const payers = startPayers(service)
  await payers.untilNoted(500)
  await payers.stop()
  return payers
}

async function configure(cluster: Cluster, directory: string): Promise<void> {
  const { ids } = await serverUser()
  const repository = join(directory, 'backups')
  await mkdir(repository, { mode: 0o700 })
  if (ids) await chown(repository, ids.uid, ids.gid)
  for (const server of cluster.servers) {
    const lines = [
      '[global]',
      `repo1-path=${repository}`,
      'repo1-retention-full=4',
      `log-path=${server.directory}`,
      `lock-path=${server.directory}`,
      'start-fast=y',
      '[baize]',
      `pg1-path=${server.data}`,
      `pg1-port=${server.port}`,
      'pg1-socket-path=/var/run/postgresql',
      'pg1-user=postgres',
    ]
    await writeFile(backupEnvironment(server.directory).PGBACKREST_CONFIG as string, `${lines.join('\n')}\n`)
  }
}
