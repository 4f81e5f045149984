import pg from 'pg'

export const databaseName = 'baize'

export async function ensureDatabase(server: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  client.on('error', () => {}) // The running query fails too, and reports the error.
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}
