import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startEmbedded } from '@baize/embedded-postgres'
import type { PoolConfig } from 'pg'
import { migrate } from '../../src/database/migrate.ts'
import { openWorld, type World } from '../../src/database/open.ts'
import { preparePartitions } from '../../src/metering/housekeeping.ts'

export type BenchData = {
  connection: PoolConfig
  url: string
  world: World
  directory: string
  close(): Promise<void>
}

/**
 * Opens generated data in `var/NAME`. With `again` it reuses the data of the last run if their sizes were
 * the same.
 */
export async function openBenchData(
  name: string,
  sizes: object,
  again: boolean,
  make: (world: World, data: BenchData) => Promise<void>,
): Promise<BenchData> {
  const directory = resolve('var', name)
  const sizesFile = join(directory, 'sizes.json')
  const generated = await readFile(sizesFile, 'utf8').catch(() => null)
  const isGenerated = again && generated === JSON.stringify(sizes)
  if (!isGenerated) await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const { host, port, user, database, stop } = await startEmbedded({ dataDirectory: join(directory, 'data') })
  const connection = { host, port, user, database }
  const url = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const world = openWorld('public', { connection })
  async function close() {
    await world.close()
    await stop()
  }
  const data = { connection, url, world, directory, close }
  try {
    await migrate(connection)
    await preparePartitions(world.database, new Date())
    if (!isGenerated) {
      const startedAt = performance.now()
      await make(world, data)
      const seconds = (performance.now() - startedAt) / 1000
      console.log(`generated ${JSON.stringify(sizes)} in ${seconds.toFixed(1)} s`)
      await writeFile(sizesFile, JSON.stringify(sizes))
    }
    return data
  } catch (error) {
    await close()
    throw error
  }
}
