import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

// Serves a Company search written by hand on the same tables: one statement a request for rows and total;
// no metering, facets, highlights or typo correction.

type Query = { q?: string; role?: string; jurisdiction?: string; page_size: number }

const filtered = `
  select array_agg(id)
    from search_terms
   where subject = 'company' and (field, value) in (('role', $1), ('jurisdiction', $2))`

const byText = {
  name: 'search_text',
  text: `
    with matched as materialized (
      select id, ref, missing, case when document @@ $4::tsquery then 1 else 0 end as tier,
             ts_rank(document, $3::tsquery) as rank
        from company_search
       where document @@ $3::tsquery and terms @> (${filtered})
    ),
    page as (
      select * from matched order by tier desc, rank desc, missing, ref limit $5
    )
    select page.rank, company.hit, (select count(*) from matched) as total
      from page
      join company_search company using (id)
     order by page.tier desc, page.rank desc, page.missing, page.ref`,
}

const byFilter = {
  name: 'search_filter',
  text: `
    with page as (
      select hit from company_search where terms @> (${filtered}) order by missing, sort_name, ref limit $3
    )
    select hit, null as rank, (select count(*) from company_search where terms @> (${filtered})) as total
      from page`,
}

const hit = { type: 'object', additionalProperties: true }
const answer = {
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    data: {
      type: 'object',
      properties: { total: { type: 'integer' }, hits: { type: 'array', items: hit } },
    },
  },
}

export function mountSearch(app: FastifyInstance, pool: pg.Pool): void {
  app.get<{ Querystring: Query }>(
    '/v1/companies/search',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            q: { type: 'string', maxLength: 200 },
            role: { type: 'string' },
            jurisdiction: { type: 'string' },
            page_size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
        },
        response: { 200: answer },
      },
    },
    async request => {
      const { q, role, jurisdiction, page_size: rows } = request.query
      const words = q?.toLowerCase().match(/[a-z0-9]+/g) ?? []
      const statement =
        words.length > 0
          ? { ...byText, values: [role, jurisdiction, words.join(' & '), `'=${words.join(' ')}':*`, rows] }
          : { ...byFilter, values: [role, jurisdiction, rows] }
      const found = await pool.query<{ hit: object; rank: number | null; total: string }>(statement)
      const hits = found.rows.map((row, index) => ({ ...row.hit, score: row.rank, rank: index + 1 }))
      return { success: true, data: { total: Number(found.rows[0]?.total ?? 0), hits } }
    },
  )
}
