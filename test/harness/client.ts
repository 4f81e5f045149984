import pg from 'pg'

export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // tests stop servers with open connections
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
