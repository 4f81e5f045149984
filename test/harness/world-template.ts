import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import type pg from 'pg'
import { openWorld } from '../../src/database/open.ts'
import { loadDemo } from '../../src/instance/load-demo.ts'
import { preparePartitions } from '../../src/metering/housekeeping.ts'
import { withClient } from './client.ts'
import { importDemo, syncDemoRegisters } from './import-demo.ts'
import type { TestServerAddress } from './server.ts'
import { testServer } from './test-server.ts'

/**
 * The content of a test's database at its start. Each world is built from the previous one. `demo_key` has
 * demo/ in the schema of the demo key. `demo` also has it as the customers' data, and `demo_with_registers`
 * also the register snapshots of demo/.
 */
export type TestWorld = 'empty' | 'demo_key' | 'demo' | 'demo_with_registers'

type Build = { from: TestWorld; load(worlds: Worlds): Promise<void> }
type Worlds = { live: ReturnType<typeof openWorld>; demo: ReturnType<typeof openWorld>; files: FileStore }

const builds: Record<Exclude<TestWorld, 'empty'>, Build> = {
  demo_key: { from: 'empty', load: ({ demo, files }) => loadDemo(demo, files) },
  demo: { from: 'demo_key', load: ({ live, files }) => importDemo(live, files) },
  demo_with_registers: { from: 'demo', load: ({ live }) => syncDemoRegisters(live) },
}

const known = new Map<TestWorld, Promise<string>>()

/** Returns the template database with this world. The first test of a run that needs it builds it. */
export function worldTemplate(world: TestWorld): Promise<string> {
  const template = known.get(world) ?? findOrBuild(world)
  known.set(world, template)
  return template
}

export async function copyWorldFiles(world: TestWorld, to: FileStore): Promise<void> {
  if (world === 'empty') return
  const folder = filesFolder(await testServer())
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    await to.put(path.slice(folder.length + 1), createReadStream(path))
  }
}

const filesFolder = ({ directory }: TestServerAddress): string => join(directory, 'demo-files')

async function findOrBuild(world: TestWorld): Promise<string> {
  const server = await testServer()
  if (world === 'empty') return server.template
  const { from, load } = builds[world]
  const source = await worldTemplate(from)
  const { host, port, user } = server
  const name = `template_${world}`
  // The lock ends with the connection. Workers that need the same template wait for it.
  await withClient({ host, port, user, database: 'postgres' }, async client => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const partial = `${name}_partial`
    await client.query(`drop database if exists ${partial} with (force)`)
    await client.query(`create database ${partial} template ${source} strategy file_copy`)
    await loadInto(
      { host, port, user, database: partial },
      openFileStore({ kind: 'folder', path: filesFolder(server) }),
      load,
    )
    await client.query(`alter database ${partial} rename to ${name}`)
    await client.query(`alter database ${name} allow_connections false`)
  })
  return name
}

async function loadInto(connection: pg.PoolConfig, files: FileStore, load: Build['load']): Promise<void> {
  const onError = () => {}
  const live = openWorld('public', { connection, onError })
  const demo = openWorld('demo', { connection, onError })
  try {
    await preparePartitions(live.database, new Date())
    await load({ live, demo, files })
  } finally {
    await Promise.all([live.close(), demo.close()])
  }
}
