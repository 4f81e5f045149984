import { chown, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { eventually } from '../../test/harness/eventually.ts'
import type { Clock } from './clock.ts'
import type { Network } from './network.ts'
import { PatroniServer, password } from './patroni-server.ts'
import { lastingPort, postgresPrograms, type Running, run, serverUser } from './processes.ts'
import { backupEnvironment } from './restore.ts'

const haproxyFile = resolve(import.meta.dirname, '../../cluster/haproxy.cfg')
export const names = ['one', 'two', 'three'] as const
const changesWithinMs = 180_000

/** Three servers under Patroni, one etcd, and HAProxy. */
export class Cluster {
  readonly #directory: string
  readonly #etcd: Running
  readonly servers: readonly PatroniServer[]
  readonly #proxyPort: number
  #proxy: Running | null = null
  /** Where HAProxy leads to an API process that is ready. */
  apiUrl = ''
  #isSynchronous = true

  constructor(directory: string, etcd: Running, servers: PatroniServer[], proxyPort: number) {
    this.#directory = directory
    this.#etcd = etcd
    this.servers = servers
    this.#proxyPort = proxyPort
  }

  /** Returns DATABASE_URL with all servers, and with HAProxy in front of them. */
  get urls(): { direct: string; proxied: string } {
    const hosts = this.servers.map(each => each.address).join(',')
    return {
      direct: `postgres://baize:${password}@${hosts}/baize`,
      proxied: `postgres://baize:${password}@127.0.0.1:${this.#proxyPort}/baize`,
    }
  }

  get etcdPid(): number {
    return this.#etcd.child.pid ?? 0
  }

  leader(): Promise<PatroniServer> {
    return this.#eventually('a server leads', async () => {
      for (const server of this.servers) if (await server.isPrimary()) return server
      return null
    })
  }

  synchronousStandby(): Promise<PatroniServer> {
    return this.#eventually('a standby is synchronous', async () => {
      const members = (await (await this.leader()).members()) ?? []
      const { name } = members.find(each => each.role === 'sync_standby') ?? {}
      return this.servers.find(each => each.name === name) ?? null
    })
  }

  async untilLedByAnother({ name }: PatroniServer): Promise<void> {
    await this.#eventually('another server leads', async () => (await this.leader()).name !== name)
  }

  /**
   * Waits until all servers run, and one is synchronous unless that is switched off. The primary must send
   * to the others, because the cluster may know what a server was before it was lost.
   */
  async untilWhole(): Promise<void> {
    await this.#eventually('all servers run', async () => {
      if (!(await this.#isFollowedByAll())) return false
      for (const server of this.servers) {
        const members = await server.members()
        if (members === null) continue
        const running = members.filter(each => ['running', 'streaming'].includes(each.state))
        const isSafe = members.some(each => each.role === 'sync_standby')
        return running.length === names.length && (isSafe || !this.#isSynchronous)
      }
      return false
    })
  }

  async #isFollowedByAll(): Promise<boolean> {
    const [sent] = await (await this.leader())
      .query<{ to: number }>(
        `select count(*)::int as to from pg_stat_replication
          where state = 'streaming' and application_name = any ('{${names}}')`,
      )
      .catch(() => [])
    return sent?.to === names.length - 1
  }

  async beAsynchronous(): Promise<void> {
    this.#isSynchronous = false
    await (await this.leader()).ask('PATCH', '/config', { synchronous_mode: false })
  }

  /** Stops what is sent to the standbys. The primary continues. */
  async freezeSenders(): Promise<void> {
    const leader = await this.leader()
    const senders = await leader.query<{ pid: number }>('select pid from pg_stat_replication')
    for (const { pid } of senders) process.kill(pid, 'SIGSTOP')
  }

  /** Switches archiving on, which needs a restart of each server, the primary last. */
  async archiveBy(command: string): Promise<void> {
    const leader = await this.leader()
    const parameters = { archive_mode: 'on', archive_command: command }
    await leader.ask('PATCH', '/config', { postgresql: { parameters } })
    const isPending = async () =>
      ((await leader.members()) ?? []).filter(each => each.pending_restart).length === names.length
    await this.#eventually('all servers need a restart', isPending)
    for (const server of [...this.servers].sort(
      (one, other) => Number(one === leader) - Number(other === leader),
    )) {
      await server.ask('POST', '/restart', {})
      await this.untilWhole()
    }
  }

  /** Stops Patroni and PostgreSQL everywhere, the given server last, so that no other is promoted. */
  async stopServers(last: PatroniServer): Promise<void> {
    for (const server of this.servers) if (server !== last) await server.stop()
    await last.stop()
  }

  /** Forgets the cluster, and starts it with the data of this server alone. */
  async startAnew(first: PatroniServer): Promise<void> {
    await first.forgetCluster()
    const others = this.servers.filter(each => each !== first)
    for (const each of others) await rm(each.data, { recursive: true, force: true })
    await this.startServers([first, ...others])
  }

  async startServers([first, ...others]: readonly PatroniServer[]): Promise<void> {
    await first?.start()
    await this.leader()
    for (const each of others) await each.start()
    await this.untilWhole()
  }

  async startProxy([one = '', two = '']: readonly string[]): Promise<void> {
    const servers = this.servers.flatMap(({ name, address, health }) => [
      [`PG_${name.toUpperCase()}`, address],
      [`PG_${name.toUpperCase()}_HEALTH`, health],
    ])
    const api = `127.0.0.1:${await lastingPort()}`
    this.apiUrl = `http://${api}`
    this.#proxy = await run('/usr/sbin/haproxy', ['-f', haproxyFile], {
      log: join(this.#directory, 'haproxy.log'),
      env: {
        ...Object.fromEntries(servers),
        API_BIND: api,
        API_ONE: one,
        API_TWO: two,
        PRIMARY_BIND: `127.0.0.1:${this.#proxyPort}`,
      },
    })
  }

  async stop(): Promise<void> {
    await this.#proxy?.end()
    await Promise.all(this.servers.map(each => each.stop()))
    await this.#etcd.end()
  }

  #eventually<Value>(what: string, look: () => Promise<Value | null>): Promise<Value> {
    return eventually(what, look, changesWithinMs) as Promise<Value>
  }
}

type ClusterOptions = {
  /** Without a network, all servers are on loopback. */
  network: Network | null
  clock: Clock | null
  /** Gives each server a disk of its own that can be filled. */
  mount: (directory: string) => Promise<void>
}

export async function startCluster(
  directory: string,
  { network, clock, mount }: ClusterOptions,
): Promise<Cluster> {
  const { ids } = await serverUser()
  const own = async (path: string) => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (ids) await chown(path, ids.uid, ids.gid)
    return path
  }
  await own(directory)
  const etcdAddress = `${network?.etcdHost ?? '127.0.0.1'}:${await lastingPort()}`
  const etcd = await startEtcd(await own(join(directory, 'etcd')), etcdAddress)
  const servers: PatroniServer[] = []
  for (const name of names) {
    const place = join(directory, name)
    await mount(place)
    await own(place)
    const ports = { port: await lastingPort(), health: await lastingPort() }
    const programs = await clock?.programsOf(name)
    const environment = {
      ...backupEnvironment(place),
      PATRONI_POSTGRESQL_BIN_DIR: programs ?? postgresPrograms,
    }
    servers.push(
      new PatroniServer(name, { ...ports, directory: place, etcd: etcdAddress, network, environment }),
    )
  }
  const cluster = new Cluster(directory, etcd, servers, await lastingPort())
  try {
    await cluster.startServers(servers)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

async function startEtcd(directory: string, address: string): Promise<Running> {
  const peer = `http://127.0.0.1:${await lastingPort()}`
  const args = [
    ['--enable-v2'],
    ['--data-dir', join(directory, 'data')],
    ['--listen-client-urls', `http://${address}`],
    ['--advertise-client-urls', `http://${address}`],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `default=${peer}`],
  ].flat()
  return run('/usr/bin/etcd', args, { log: `${directory}.log` })
}
