import pg from 'pg'

/** Runs `work` on a connection of its own. */
export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // servers are stopped under open connections here
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
