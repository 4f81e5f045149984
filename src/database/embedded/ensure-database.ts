import pg from 'pg'

export const databaseName = 'baize'

/** Makes our database where a first start has not got to it yet. */
export async function ensureDatabase(server: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  client.on('error', () => {}) // the server going away also fails the query under way, and that is told
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}
