import { execFile } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { claimDataDirectory, type DirectoryClaim } from '@baize/data-directory'
import { type EmbeddedServer, startEmbedded } from '@baize/embedded-postgres'
import { migrate } from '../../src/database/migrate.ts'
import { withClient } from './client.ts'
import { createTestDirectory, type TestDirectory } from './directory.ts'
import { eventually } from './eventually.ts'
import { killServersBelow } from './processes.ts'
import { fastSettings } from './server.ts'

const run = promisify(execFile)

type Address = { host: string; port: number; user: string; database: string }

export type StreamingReplica = {
  primary: Address
  replica: Address
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  pause(): Promise<void>
  /** Resumes replay, and waits until everything is replayed. */
  resume(): Promise<void>
  promote(): Promise<void>
  /** Ends the primary without a goodbye. */
  killPrimary(): Promise<void>
  /** Makes the primary answer a commit only after the replica has stored it. */
  makeSynchronous(): Promise<void>
  /** Makes the replica lose its primary. */
  disconnect(): Promise<void>
  close(): Promise<void>
}

const replication = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '1GB',
  // Commits are synchronous, because a replica receives an asynchronous one only after some seconds.
  synchronous_commit: 'on',
}

/** The code serialization_failure, which an ended connection reports, too. */
const cancelledByReplay = '40001'

export async function startStreamingReplica(): Promise<StreamingReplica> {
  const directories: TestDirectory[] = []
  const claims: DirectoryClaim[] = []
  for (const _each of ['primary', 'replica']) {
    const directory = await createTestDirectory()
    directories.push(directory)
    claims.push(await claimDataDirectory(directory.path))
  }
  const [ofPrimary, ofReplica] = directories.map(({ path }) => path) as [string, string]
  const startPrimary = () =>
    startEmbedded({ dataDirectory: ofPrimary, settings: { ...fastSettings, ...replication } })

  const first = await startPrimary()
  await migrate(addressOf(first))
  await first.stop()
  // A copy of a stopped server’s files is a base backup. The signal is an empty file of the server’s user.
  const cluster = join(ofReplica, 'postgres')
  await run('cp', ['-a', join(ofPrimary, 'postgres'), cluster])
  await run('cp', ['-p', join(cluster, 'PG_VERSION'), join(cluster, 'standby.signal')])
  const primary = await startPrimary()
  const { host, port, user } = primary
  // In the file, where a running server can change it.
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`,
  )
  const startReplica = () =>
    startEmbedded({
      dataDirectory: ofReplica,
      settings: {
        ...fastSettings,
        ...replication,
        wal_retrieve_retry_interval: '100ms',
        // The replica cancels queries that block replay at once.
        max_standby_streaming_delay: '0',
      },
    })
  let replica: EmbeddedServer = await startReplica()
  return {
    primary: addressOf(primary),
    replica: addressOf(replica),
    stopReplica: () => replica.stop(),
    startReplica: async () => {
      replica = await startReplica()
    },
    killPrimary: () => killServersBelow(ofPrimary),
    ...controls(primary, () => replica),
    close: async () => {
      await replica.stop()
      await primary.stop()
      for (const claim of claims) await claim.release()
      for (const directory of directories) await directory.remove()
    },
  }
}

type Control = 'pause' | 'resume' | 'promote' | 'makeSynchronous' | 'disconnect'

/** The replica is another server after each of its starts. */
const controls = (primary: Address, replica: () => Address): Pick<StreamingReplica, Control> => ({
  pause: async () => {
    await ask(replica(), 'pg_wal_replay_pause()')
    // Replay pauses only at the end of a record.
    await eventually(
      'the replica pauses',
      async () => (await ask(replica(), 'pg_get_wal_replay_pause_state()')) === 'paused',
    )
  },
  resume: async () => {
    await ask(replica(), 'pg_wal_replay_resume()')
    const position = await ask(primary, 'pg_current_wal_insert_lsn()')
    await eventually(
      'the replica has replayed everything',
      async () => (await ask(replica(), `pg_last_wal_replay_lsn() >= '${position}'`)) === 'true',
    )
  },
  promote: async () => {
    await ask(replica(), 'pg_promote()')
  },
  makeSynchronous: async () => {
    await change(primary, 'synchronous_standby_names', '*')
    await eventually(
      'the replica is synchronous',
      async () => (await ask(primary, `(select max(sync_state) from pg_stat_replication)`)) === 'sync',
    )
  },
  disconnect: async () => {
    await change(replica(), 'primary_conninfo', 'host=/nowhere')
    await eventually(
      'the primary has no replica',
      async () => (await ask(primary, '(select count(*) from pg_stat_replication)')) === '0',
    )
  },
})

/** Changes a setting of a running server, also of one that is read only. */
export async function change(server: Address, name: string, value: string): Promise<void> {
  await withClient({ ...server, options: '-c default_transaction_read_only=off' }, async client => {
    await client.query(`alter system set ${name} = '${value}'`)
    await client.query('select pg_reload_conf()')
  })
}

/** Returns the text of one expression. A query that replay cancelled is repeated. */
async function ask(server: Address, expression: string): Promise<string> {
  const rows = await eventually(`an answer to: ${expression}`, () => tryToAsk(server, expression))
  return rows?.[0]?.value ?? ''
}

const tryToAsk = (server: Address, expression: string): Promise<{ value: string }[] | null> =>
  withClient(
    server,
    async client => (await client.query(`select (${expression})::text as value`)).rows,
  ).catch(error => {
    if (error.code === cancelledByReplay) return null
    throw error
  })

const addressOf = ({ host, port, user, database }: EmbeddedServer): Address => ({
  host,
  port,
  user,
  database,
})
