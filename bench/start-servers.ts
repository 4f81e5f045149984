import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verdictPaths } from './paths.ts'
import { type Server, startFlags, startServer } from './processes.ts'
import type { Sizes } from './sizes.ts'

const names = ['api', 'second', 'limit', 'handwritten', 'transaction', 'twin'] as const
export type Servers = Record<(typeof names)[number], Server>

type Options = { directory: string; url: string; sizes: Sizes; key: string; profile: boolean }

/** All at once, so that they can take turns. Whatever starts is added to `undo`. */
export async function startServers(
  { directory, url, sizes, key, profile }: Options,
  undo: (() => Promise<void>)[],
): Promise<Servers> {
  const flags = await startFlags()
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${directory}`] : []
  let port = 9_100
  async function start(file: string, environment: Record<string, string>, nodeOptions: string[] = []) {
    const server = await startServer(file, port++, environment, nodeOptions)
    undo.push(server.stop)
    return server
  }
  const startApi = (name: string) =>
    start(
      'src/main/serve.ts',
      {
        DATA_DIR: join(directory, name),
        DATABASE_URL: url,
        THROTTLE_PER_MINUTE: '1000000',
        LOG_LEVEL: 'info',
      },
      [...flags, ...profiling],
    )
  const database = { DATABASE_URL: url }
  const api = await startApi('api')
  const bodyFile = join(directory, 'body.json')
  const sample = await fetch(`${api.url}${verdictPaths(sizes)[0]}`, { headers: { 'x-api-key': key } })
  await writeFile(bodyFile, await sample.text())
  return {
    api,
    second: await startApi('second'),
    limit: await start('bench/servers/limit.ts', { BENCH_BODY_FILE: bodyFile }),
    handwritten: await start('bench/servers/handwritten.ts', database),
    transaction: await start('bench/servers/handwritten.ts', { ...database, BENCH_CHARGE: '1' }),
    twin: await start('bench/servers/twin.ts', database, [...flags, ...profiling]),
  }
}
