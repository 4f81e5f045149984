import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { processesAreVisible, serversBelow } from '../../test/harness/processes.ts'
import { fastSettings } from '../../test/harness/server.ts'
import { type EmbeddedServer, startEmbedded } from './index.ts'
import { serverEnvironment } from './settings.ts'

const settings = fastSettings

describe('the embedded server', () => {
  let directory: TestDirectory
  let server: EmbeddedServer

  beforeAll(async () => {
    directory = await createTestDirectory()
    // This folder is the remains of a killed initdb.
    await mkdir(join(directory.path, 'postgres.partial-00c0ffee'))
    await writeFile(join(directory.path, 'postgres.partial-00c0ffee', 'PG_VERSION'), '18\n')
    server = await startEmbedded({ dataDirectory: directory.path, settings })
  })
  afterAll(async () => {
    await server.stop()
    await directory.remove()
  })

  test('the embedded server listens on a private unix socket only', async () => {
    const shown = await withClient(server, client =>
      client.query(`select current_setting('listen_addresses') as addresses, current_user as user`),
    )
    expect(shown.rows).toEqual([{ addresses: '', user: 'baize' }])
    expect(server.host).toBe(join(directory.path, 'socket'))
  })

  test('the embedded server stores UTF-8, sorts by code point and knows letters of all scripts', async () => {
    const { rows } = await withClient(server, client =>
      client.query(`select upper('žluťoučký') as upper, 'Z' < 'a' as by_code_point,
                           to_tsvector('simple', 'Казино żółw')::text as words,
                             current_setting('server_encoding') as encoding`),
    )
    expect(rows).toEqual([
      { upper: 'ŽLUŤOUČKÝ', by_code_point: true, words: "'żółw':2 'казино':1", encoding: 'UTF8' },
    ])
  })

  test('the embedded server includes the extensions that search needs', async () => {
    const { rows } = await withClient(server, client =>
      client.query(
        `select name from pg_available_extensions where name in ('pg_trgm', 'unaccent') order by name`,
      ),
    )
    expect(rows.map(row => row.name)).toEqual(['pg_trgm', 'unaccent'])
  })

  test.skipIf(!processesAreVisible)(
    'the embedded server inherits no environment variables, and retains memory between statements',
    async () => {
      const [pid] = await serversBelow(directory.path)
      const variables = (await readFile(`/proc/${pid}/environ`, 'utf8'))
        .split('\0')
        .filter(line => line !== '')
      const read = Object.fromEntries(variables.map(line => line.split('=')))
      expect(read).toMatchObject(serverEnvironment)
      const own = ['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', 'PG_GRANDPARENT_PID', 'PGLOCALEDIR', 'PGSYSCONFDIR']
      expect(Object.keys(read).filter(name => !(name in serverEnvironment) && !own.includes(name))).toEqual(
        [],
      )
    },
  )

  test('the embedded server removes the leftovers of a killed initdb', async () => {
    expect((await readdir(directory.path)).filter(name => name.includes('partial'))).toEqual([])
  })

  test('the embedded server stops despite open connections, and keeps its data', async () => {
    await withClient(server, async client => {
      await client.query('create table kept as select 42 as answer')
      await server.stop()
    }).catch(() => {}) // The server closed the connection.
    await server.stop()
    expect(await serversBelow(directory.path)).toEqual([])
    expect(existsSync(server.host)).toBe(false)

    server = await startEmbedded({ dataDirectory: directory.path, settings })
    const { rows } = await withClient(server, client => client.query('select answer from kept'))
    expect(rows).toEqual([{ answer: 42 }])
  })
})

test('a failing start of the embedded server reports its output and leaves no process', async () => {
  const directory = await createTestDirectory()
  try {
    const start = startEmbedded({
      dataDirectory: directory.path,
      settings: { ...settings, work_mem: 'plenty' },
    })
    await expect(start).rejects.toThrow(/did not start.*invalid value for parameter "work_mem": "plenty"/s)
    expect(await serversBelow(directory.path)).toEqual([])
  } finally {
    await directory.remove()
  }
})
