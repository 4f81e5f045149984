import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { connectionTo } from '../../src/instance/index.ts'
import { eventually } from '../../test/harness/eventually.ts'
import {
  type Ended,
  type Instance,
  type Program,
  runProgram,
  startInstance,
  startProgram,
} from '../../test/harness/program.ts'
import { lastingPort } from './processes.ts'
import type { Cluster } from './start-cluster.ts'

const readyWithinMs = 120_000
const credits = 100_000_000

export type Service = {
  urls: readonly string[]
  accountRef: string
  key: string
  /** Leads to the primary, for the count. */
  database: PoolConfig
  readiness(): Promise<{ status: string; warning?: string }[]>
  untilReady(): Promise<void>
  /** Waits until each API process warns, and returns the warnings. */
  untilWarned(): Promise<string[]>
  isUnchanged(): boolean
  verifies(): Promise<boolean>
  stop(): Promise<void>
}

/** Starts two API processes and two workers. One of each finds the servers by itself, one uses HAProxy. */
export async function startService(cluster: Cluster, directory: string): Promise<Service> {
  const ports = [await lastingPort(), await lastingPort()]
  await cluster.startProxy(ports.map(port => `127.0.0.1:${port}`))
  const urls = [cluster.urls.direct, cluster.urls.proxied]
  const files = join(directory, 'files')
  const environment = (name: string, url: string | undefined) => ({
    DATA_DIR: join(directory, name),
    FILES_URL: files,
    DATABASE_URL: url ?? '',
    LOG_LEVEL: 'warn',
  })
  const apis: Instance[] = []
  for (const [index, port] of ports.entries())
    apis.push(
      await startInstance('serve', { ...environment(`api-${index}`, urls[index]), PORT: String(port) }),
    )
  const workers = urls.map((url, index) => startProgram('work', [], environment(`worker-${index}`, url)))
  const programs: Program[] = [...apis, ...workers]
  let ended = 0
  for (const each of programs) void each.ended.then(() => ended++)

  const command = (...args: string[]): Promise<Ended> =>
    runProgram('cli', [...args, '--json'], environment('command', cluster.urls.direct))
  async function baize(...args: string[]) {
    const { code, stdout, stderr } = await command(...args)
    if (code !== 0) throw new Error(`baize ${args.join(' ')} failed: ${stderr}`)
    return JSON.parse(stdout)
  }
  const account = await baize(
    ...['account', 'create', '--name', 'C', '--plan', 'growth', '--credits', String(credits)],
  )
  const { api_key: key } = await baize('key', 'create', account.account_ref)

  const readiness: Service['readiness'] = () =>
    Promise.all(
      apis.map(async ({ url }) => {
        const answer = await fetch(`${url}/readyz`)
        return (await answer.json()) as { status: string; warning?: string }
      }),
    )
  return {
    urls: apis.map(each => each.url),
    accountRef: account.account_ref,
    key,
    database: connectionTo({ url: cluster.urls.direct }),
    readiness,
    untilReady: async () => {
      await eventually(
        'both are ready',
        async () => (await readiness()).every(each => each.status === 'ready'),
        readyWithinMs,
      )
    },
    untilWarned: () =>
      eventually(
        'both warn',
        async () => {
          const warnings = (await readiness()).map(each => each.warning ?? '')
          return warnings.includes('') ? null : warnings
        },
        readyWithinMs,
      ) as Promise<string[]>,
    isUnchanged: () => ended === 0,
    verifies: async () => (await command('verify')).code === 0,
    stop: async () => {
      for (const each of programs) each.signal('SIGTERM')
      await Promise.all(programs.map(each => each.ended))
    },
  }
}
