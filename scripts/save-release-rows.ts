// Writes test/releases/<version>/rows.sql.gz: the rows that this release stores of demo/ and of one
// customer. Run it with `npm run save-release-rows`. test/upgrade.test.ts inserts the rows into the schema
// of that release and upgrades it.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openFileStore } from '@baize/files'
import pg from 'pg'
import { createLogger } from '../src/config/logger.ts'
import { readVersion } from '../src/core/version.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { openService } from '../src/http/open-service.ts'
import { buildServer } from '../src/http/server.ts'
import { cloneDatabase } from '../test/harness/clone.ts'
import { importDemo, syncDemoRegisters } from '../test/harness/import-demo.ts'
import { startTestServer } from '../test/harness/server.ts'
import { rowsSql } from './generated/rows-sql.ts'

const folder = fileURLToPath(new URL(`../test/releases/${readVersion()}`, import.meta.url))

async function fill(connection: pg.ClientConfig, files: string): Promise<void> {
  const service = openService({
    connection,
    settings: {
      baseUrl: 'http://baize.test',
      logoUrl: 'http://baize.test/logos',
      imageUrl: 'http://baize.test/images',
      throttlePerMinute: 0,
      trustProxy: null,
      observation: { isOn: true, waitSeconds: 240 },
    },
    files: openFileStore({ kind: 'folder', path: files }),
    log: createLogger('silent'),
  })
  const server = await buildServer(service, { eventLoopDelayMsMax: 0 })
  try {
    await importDemo(service.live, service.files)
    await syncDemoRegisters(service.live)
    const { account_ref } = await createAccount(service.live, {
      name: 'A customer',
      plan: 'growth',
      creditsGranted: 1_000,
    })
    const { api_key } = await createKey(service.live, account_ref)
    for (const url of ['/v1/domains/search?verdict=blocklisted&per_page=2', '/v1/licenses/search?q=otter']) {
      const headers = { 'x-api-key': api_key, 'idempotency-key': url }
      const { statusCode, body } = await server.inject({ url, headers })
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${body}`)
    }
  } finally {
    await server.close()
    await service.close()
  }
}

/** Reads the rows with the secrets, because stored answers have cursors that the secrets sign. */
async function readRows(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...connection, options: '-c search_path=public,extensions -c timezone=UTC' })
  await client.connect()
  try {
    const { rows } = await client.query<{ secret: string }>(
      `select format('insert into signing_secrets (purpose, secret) values (%L, %L);', purpose, secret)
                as secret
         from signing_secrets
        order by purpose`,
    )
    return [await rowsSql(client, 1), ...rows.map(({ secret }) => secret), ''].join('\n')
  } finally {
    await client.end()
  }
}

const server = await startTestServer()
try {
  const { connection } = await cloneDatabase(server.address, server.address.template)
  await fill(connection, join(server.address.directory, 'files'))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'rows.sql.gz'), gzipSync(await readRows(connection), { level: 9 }))
  console.log(`wrote test/releases/${readVersion()}/rows.sql.gz`)
} finally {
  await server.dispose()
}
