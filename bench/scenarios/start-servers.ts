import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchData } from '../harness/data.ts'
import { type Server, startFlags, startServer } from '../harness/processes.ts'
import { instanceOf } from '../harness/run-benchmark.ts'

export type Servers = Record<'api' | 'second' | 'limit' | 'handwritten' | 'transaction' | 'twin', Server>

type Options = { undo: AsyncDisposableStack; firstVerdict: string; key: string; profile: boolean }

/** Starts all servers at once, so that they can take turns. */
export async function startServers(
  data: BenchData,
  { undo, firstVerdict, key, profile }: Options,
): Promise<Servers> {
  const flags = [
    ...(await startFlags()),
    ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${data.directory}`] : []),
  ]
  let port = 9_100
  async function start(file: string, environment: Record<string, string>, nodeOptions: string[] = []) {
    const server = await startServer(file, port++, environment, nodeOptions)
    undo.defer(server.stop)
    return server
  }
  const startApi = (name: string) =>
    start(
      'src/main/serve.ts',
      {
        ...instanceOf(data),
        DATA_DIR: join(data.directory, name),
        THROTTLE_PER_MINUTE: '1000000',
        LOG_LEVEL: 'info',
      },
      flags,
    )
  const database = { DATABASE_URL: data.url }
  const api = await startApi('api')
  const bodyFile = join(data.directory, 'body.json')
  const sample = await fetch(`${api.url}${firstVerdict}`, { headers: { 'x-api-key': key } })
  await writeFile(bodyFile, await sample.text())
  return {
    api,
    second: await startApi('second'),
    limit: await start('bench/servers/limit.ts', { BENCH_BODY_FILE: bodyFile }),
    handwritten: await start('bench/servers/handwritten.ts', database),
    transaction: await start('bench/servers/handwritten.ts', { ...database, BENCH_CHARGE: '1' }),
    twin: await start('bench/servers/twin.ts', database, flags),
  }
}
