import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount, createKey } from '../../src/features/account/index.ts'
import { verifyAll } from '../../src/verify/index.ts'
import { type BenchData, openBenchData } from './data.ts'
import { type Judged, judgedTable } from './goals.ts'
import { type Server, startFlags, startServer } from './processes.ts'
import { type Row, tableOf } from './table.ts'

/** The functions with which a benchmark starts processes, prints and judges. */
export type Benchmark = {
  /** Stops the started processes, the last one first. */
  undo: AsyncDisposableStack
  /** Opens data, which are verified at the end. */
  open(...of: Parameters<typeof openBenchData>): Promise<BenchData>
  /** Verifies at the end a world that the benchmark has opened itself. */
  alsoVerify(world: BenchData['world']): void
  /** Starts a process of the service on these data, with the flags of `npm start`. */
  serve(data: BenchData, file: string, port: number, environment?: Record<string, string>): Promise<Server>
  print(rows: readonly Row[]): void
  judge(judged: readonly Judged[]): void
}

const credits = 1_000_000_000

/**
 * Runs one benchmark: it measures, prints the judgements, verifies the data, and writes the figures as
 * JSON. The exit code is 1 if a goal is missed, if the derived data are wrong, or if the benchmark fails.
 */
export async function runBenchmark(
  jsonFile: string,
  measure: (benchmark: Benchmark) => Promise<object>,
): Promise<void> {
  await using undo = new AsyncDisposableStack()
  const worlds: BenchData['world'][] = []
  const judged: Judged[] = []
  const figures = await measure({
    undo,
    async open(...of) {
      const data = await openBenchData(...of)
      undo.defer(data.close)
      worlds.push(data.world)
      return data
    },
    alsoVerify: world => void worlds.push(world),
    async serve(data, file, port, environment = {}) {
      const server = await startServer(
        file,
        port,
        { ...instanceOf(data), THROTTLE_PER_MINUTE: '0', ...environment },
        await startFlags(),
      )
      undo.defer(server.stop)
      return server
    },
    print: rows => console.log(`\n${tableOf(rows)}`),
    judge: more => void judged.push(...more),
  })
  if (judged.length > 0) console.log(`\n${judgedTable(judged)}`)
  let verified = worlds.length > 0
  for (const world of worlds) verified = (await verify(world)) && verified
  if (jsonFile !== '') await writeFile(jsonFile, `${JSON.stringify({ ...figures, judged, verified })}\n`)
  if (!verified || judged.some(({ outcome }) => outcome === 'MISSED')) process.exitCode = 1
}

/** Returns the settings for a process of the service on these data. */
export const instanceOf = ({ url, directory }: BenchData): Record<string, string> => ({
  DATABASE_URL: url,
  DATA_DIR: join(directory, 'instance'),
  LOG_LEVEL: 'warn',
})

async function verify(world: BenchData['world']): Promise<boolean> {
  const { ok, checks } = await verifyAll(world)
  console.log(`verify: ${ok ? 'no difference' : 'differences'}`)
  for (const { name, differences } of checks.filter(check => check.differences.length > 0))
    console.log(`  NOT ${name}: ${JSON.stringify(differences.slice(0, 3))}`)
  return ok
}

/** Creates API keys, each of another account. */
export async function createKeys(world: BenchData['world'], accounts: number): Promise<string[]> {
  const keys: string[] = []
  // Keys are created one by one, because many at once would wait too long for a connection on a busy
  // machine.
  for (let index = 0; index < accounts; index++) {
    const account = { name: `bench ${index}`, plan: 'growth', creditsGranted: credits } as const
    const { account_ref } = await createAccount(world, account)
    keys.push((await createKey(world, account_ref)).api_key)
  }
  return keys
}

export async function createOneKey(world: BenchData['world']): Promise<string> {
  const [key] = await createKeys(world, 1)
  return key as string
}
