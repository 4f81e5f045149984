import Fastify from 'fastify'
import pg from 'pg'
import { mountSearch } from './handwritten-search.ts'

// Serves what a user would build instead: Fastify and pg, one statement a request, a response schema, no
// metering. With BENCH_CHARGE=1 each request has a charging transaction on tables like ours.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 })
const charging = process.env.BENCH_CHARGE === '1'
const app = Fastify()

const text = `
  select domain.domain, domain.verdict, domain.licensed_by, domain.blocked_by, company.company_ref,
         company.company_name
    from domains domain
    left join companies company on company.id = domain.licensee_company_id
   where domain.domain = $1`

const text255 = { type: 'string', maxLength: 255 }
const geos = { type: 'array', items: { type: 'object', properties: { geo: { type: 'string' } } } }
const licenses = {
  type: 'array',
  items: {
    type: 'object',
    properties: { geo: { type: 'string' }, license_number: { type: ['string', 'null'] } },
  },
}
const data = {
  type: 'object',
  properties: {
    domain: { type: 'string' },
    verdict: { type: 'string' },
    licensed_by: licenses,
    blocked_by: geos,
    company: {
      type: ['object', 'null'],
      properties: { company_ref: { type: 'string' }, name: { type: 'string' } },
    },
    credits_charged: { type: 'integer' },
  },
}
const envelope = {
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    data,
    timestamp: { type: 'string' },
  },
}

type Row = {
  domain: string
  verdict: string
  licensed_by: unknown[]
  blocked_by: unknown[]
  company_ref: string | null
  company_name: string | null
}

async function charge(client: pg.PoolClient, key: string, domain: string): Promise<boolean> {
  const { rows } = await client.query({
    name: 'charge',
    text: `
      update bench_balances balance
         set used = used + 1
        from accounts account
        join api_keys key on key.account_id = account.id
       where balance.account_id = account.id
         and key.key_sha256 = sha256(convert_to($1, 'UTF8'))
         and balance.used + balance.reserved < balance.granted
      returning account.id`,
    values: [key],
  })
  if (rows[0] === undefined) return false
  await client.query({
    name: 'ledger',
    text: `
      insert into bench_ledger (account_id, settlement_id, kind, price_key, units, credits, recorded_at)
      values ($1, gen_random_uuid(), 'charge', 'domain.verdict', 1, 1, now())`,
    values: [rows[0].id],
  })
  await client.query({
    name: 'usage',
    text: `
      insert into bench_usage
        (account_id, requested_at, endpoint, status, credits, duration_ms, request_params,
          settlement_status, source)
      values ($1, now(), 'resolve_domain', 200, 1, 1, json_build_object('domain', $2::text),
              'settled', 'api')`,
    values: [rows[0].id, domain],
  })
  return true
}

const query = { name: 'verdict', text }

async function read(domain: string, key: string): Promise<Row | undefined> {
  if (!charging) return (await pool.query<Row>({ ...query, values: [domain] })).rows[0]
  const client = await pool.connect()
  try {
    await client.query('begin')
    const row = (await client.query<Row>({ ...query, values: [domain] })).rows[0]
    const paid = await charge(client, key, domain)
    await client.query(paid ? 'commit' : 'rollback')
    return paid ? row : undefined
  } finally {
    client.release()
  }
}

app.get<{ Querystring: { domain: string } }>(
  '/v1/domains/resolve',
  {
    schema: {
      querystring: { type: 'object', required: ['domain'], properties: { domain: text255 } },
      response: { 200: envelope },
    },
  },
  async (request, reply) => {
    const row = await read(request.query.domain, request.headers['x-api-key'] as string)
    if (row === undefined) return reply.code(404).send({ success: false })
    return {
      success: true,
      message: 'OK',
      data: {
        domain: row.domain,
        verdict: row.verdict,
        licensed_by: row.licensed_by,
        blocked_by: row.blocked_by,
        company: row.company_ref === null ? null : { company_ref: row.company_ref, name: row.company_name },
        credits_charged: 1,
      },
      timestamp: new Date().toISOString(),
    }
  },
)
mountSearch(app, pool)
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
